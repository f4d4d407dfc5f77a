/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The firmware's run of a sequence of launches, with a device that the test plays: the exact
 * accesses of a short one, the packets of parts that repeat and of grids out of words, refusals,
 * faults, and what does not go on. */
#include <string.h>

#include "check/launch/sequence_check.h"
#include "common/check.h"
#include "runs/runs.h"
#include "sluice/memory_map.h"
#include "unit/firmware/firmware_mock.h"

#define WAIT_LIMIT_PS 1000000000ull
#define READ_PS       20000ull
#define STEPS         4
#define RAN_MAX       64

/* What lies in the shared heap. */
static struct {
    _Alignas(64) struct sl_sequence sequence;
    struct sl_launch launch[STEPS];
    struct sl_program program;
    struct sl_program other;
    uint32_t reconvergence[32];
    uint32_t word;
    uint32_t items;
} heap;

static struct machine machine;
static struct sl_message_agg answer;

/* The device: completes each packet at the second poll after it. */
static struct {
    uint64_t taken;   /* packets */
    bool is_polled;   /* once since then */
    int faults_in;    /* step, or -1 */
    int hangs_in;     /* likewise */
    bool counts_down; /* the word, at the end of step 2 */
    bool overwrites;  /* the sequence, at each step */
    unsigned ran;
    struct {
        unsigned step;
        uint32_t items;
    } run[RAN_MAX];
} device;

static const struct sl_dispatch *packet(uint64_t number)
{
    const struct sl_dispatch *ring =
        (const struct sl_dispatch *)(uintptr_t)*mock_register(SL_REG_DISPATCH_BASE);
    return &ring[number % SL_DISPATCH_ENTRIES];
}

static unsigned step_of(const struct sl_dispatch *of)
{
    return (unsigned)((of->kernel - (uintptr_t)&heap.launch[0].kernel) / sizeof heap.launch[0]);
}

static void complete(const struct sl_dispatch *of)
{
    const uint64_t tail = (*mock_register(SL_REG_COMPLETION_TAIL))++;
    struct sl_completion *ring =
        (struct sl_completion *)(uintptr_t)*mock_register(SL_REG_COMPLETION_BASE);
    ring[tail % SL_COMPLETION_ENTRIES] =
        (struct sl_completion){.id = of->id, .elements = 2, .wavefronts = 3};
}

static void run_packet(const struct sl_dispatch *of)
{
    const unsigned step = step_of(of);
    assert_true(device.ran < RAN_MAX);
    assert_int_equal(of->kind, SL_DISPATCH_NDRANGE);
    assert_int_equal(of->kernel, (uintptr_t)&heap.launch[step].kernel);
    device.run[device.ran].step = step;
    device.run[device.ran++].items = of->grid[0];
    if ((int)step == device.faults_in) {
        struct sl_fault *ring = (struct sl_fault *)(uintptr_t)*mock_register(SL_REG_FAULT_BASE);
        ring[0] = (struct sl_fault){.code = SL_FAULT_TRAP, .kernel = of->kernel};
        *mock_register(SL_REG_FAULT_TAIL) = 1;
        device.faults_in = -1;
    } else if ((int)step != device.hangs_in) {
        heap.word -= device.counts_down && step == 2;
        if (device.overwrites) {
            memset(&heap.sequence, 0xff, sizeof heap.sequence);
            memset(heap.launch, 0xff, sizeof heap.launch);
        }
        complete(of);
    }
}

static void before_read(uint32_t reg)
{
    *mock_register(SL_REG_TIME_PS) += READ_PS;
    if (reg != SL_REG_COMPLETION_TAIL || device.taken == *mock_register(SL_REG_DISPATCH_TAIL)) {
        return;
    }
    device.is_polled = !device.is_polled;
    if (!device.is_polled) {
        run_packet(packet(device.taken++));
    }
}

static int setup(void **state)
{
    (void)state;
    mock_reset();
    mock.before_read = before_read;
    memset(&device, 0, sizeof device);
    memset(&answer, 0, sizeof answer);
    memset(&heap, 0, sizeof heap);
    device.faults_in = device.hangs_in = -1;
    heap.program = heap.other = (struct sl_program){
        .code = SL_KERNEL_BASE, .code_bytes = 64, .reconvergence = (uintptr_t)heap.reconvergence};
    heap.sequence = (struct sl_sequence){.magic = SL_SEQUENCE_MAGIC, .count = STEPS};
    for (unsigned i = 0; i < STEPS; i++) {
        heap.launch[i] = (struct sl_launch){
            .magic = SL_LAUNCH_MAGIC,
            .lds_bytes = 256 * i,
            .program = (uintptr_t)&heap.program,
            .grid = {100 + i, 1, 1},
            .group = {64, 1, 1},
            .kernel = {.entry = SL_KERNEL_BASE, .argument_count = i, .registers = 12},
        };
    }
    *mock_register(SL_REG_HEAP_BASE) = (uintptr_t)&heap;
    *mock_register(SL_REG_HEAP_LIMIT) = (uintptr_t)(&heap + 1);
    *mock_register(SL_REG_LANES) = 64;
    *mock_register(SL_REG_SIMDS) = 4;
    *mock_register(SL_REG_CONTEXTS) = 40;
    *mock_register(SL_REG_POOL_BLOCKS) = 40;
    *mock_register(SL_REG_REGISTERS) = 512;
    *mock_register(SL_REG_LDS_BYTES) = 65536;
    *mock_register(SL_REG_WAIT_LIMIT_PS) = WAIT_LIMIT_PS;
    run_machine_init(&machine);
    mock.log_count = 0;
    return 0;
}

static void execute(void)
{
    run_execute(&run_sequence, &machine, (uintptr_t)&heap.sequence, 0, &answer);
}

static void expect_steps(const unsigned *steps, unsigned count)
{
    assert_int_equal(device.ran, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(device.run[i].step, steps[i]);
    }
}

#define EXPECT_STEPS(...)                                                                          \
    expect_steps((const unsigned[]){__VA_ARGS__},                                                  \
                 sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

static void expect_begin(size_t *at)
{
    MOCK_EXPECT(at, MOCK_WRITE(MARK, SL_MARK_BEGIN), MOCK_WRITE(PHASE, SL_PHASE_OTHER),
                MOCK_WRITE(RESET, 1),
                MOCK_WRITE(DISPATCH_BASE, *mock_register(SL_REG_DISPATCH_BASE)),
                MOCK_WRITE(COMPLETION_BASE, *mock_register(SL_REG_COMPLETION_BASE)),
                MOCK_WRITE(FAULT_BASE, *mock_register(SL_REG_FAULT_BASE)),
                MOCK_WRITE(PROGRAM, (uintptr_t)&heap.program), MOCK_WRITE(GRAPH, 0));
}

static void expect_step(size_t *at, uint64_t number)
{
    MOCK_EXPECT(at, MOCK_WRITE(PHASE, SL_PHASE_DISPATCH), MOCK_WRITE(DISPATCH_TAIL, number),
                MOCK_WRITE(PHASE, SL_PHASE_POLL), MOCK_READ(COMPLETION_TAIL, number - 1),
                MOCK_READ(COMPLETION_TAIL, number), MOCK_WRITE(COMPLETION_HEAD, number),
                MOCK_READ(FAULT_TAIL, 0));
}

/* One pair of marks, one reset; each step when the one before it is complete. */
TEST_WITH(runs_one_step_after_the_other, setup, NULL)
{
    size_t at = 0;
    execute();
    expect_begin(&at);
    for (uint64_t number = 1; number <= STEPS; number++) {
        expect_step(&at, number);
    }
    MOCK_EXPECT(&at, MOCK_WRITE(MARK, SL_MARK_END));
    assert_int_equal(mock.log_count, at);
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(answer.argument[0], 2 * STEPS);
    assert_int_equal(answer.argument[1], 3 * STEPS);
    assert_int_equal(answer.argument[2], STEPS);
    assert_int_equal(answer.argument[7], 0);
    EXPECT_STEPS(0, 1, 2, 3);
    for (unsigned i = 0; i < STEPS; i++) {
        const struct sl_dispatch expected = {
            .kernel = (uintptr_t)&heap.launch[i].kernel,
            .id = i,
            .kind = SL_DISPATCH_NDRANGE,
            .grid = {100 + i, 1, 1},
            .group = {64, 1, 1},
            .lds_bytes = 256 * i,
        };
        assert_memory_equal(packet(i), &expected, sizeof expected);
    }
}

TEST_WITH(repeats_a_part, setup, NULL)
{
    heap.sequence.first = 1;
    heap.sequence.last = 2;
    heap.sequence.word = (uintptr_t)&heap.word;
    heap.word = 3;
    device.counts_down = true;
    execute();
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(answer.argument[2], 8);
    assert_int_equal(answer.argument[7], 2);
    EXPECT_STEPS(0, 1, 2, 1, 2, 1, 2, 3);
}

/* The word is read when the last step of the part is complete; 0 from the beginning: once. */
TEST_WITH(repeats_nothing, setup, NULL)
{
    heap.sequence.last = 3;
    heap.sequence.word = (uintptr_t)&heap.word;
    execute();
    EXPECT_STEPS(0, 1, 2, 3);
    assert_int_equal(setup(NULL), 0);
    /* Without a word the numbers mean nothing. */
    heap.sequence.first = 99;
    heap.sequence.last = 1;
    execute();
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    EXPECT_STEPS(0, 1, 2, 3);
}

/* What a sequence repeated by does not concern the launch after it. */
TEST_WITH(forgets_its_word, setup, NULL)
{
    heap.sequence.count = 1;
    heap.sequence.word = (uintptr_t)&heap.word;
    execute();
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    heap.word = 1;
    device.ran = 0;
    device.taken = 0;
    *mock_register(SL_REG_COMPLETION_TAIL) = 0;
    *mock_register(SL_REG_DISPATCH_TAIL) = 0;
    run_execute(&run_launch, &machine, (uintptr_t)&heap.launch[0], 0, &answer);
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    EXPECT_STEPS(0);
}

TEST_WITH(takes_a_grid_from_a_word, setup, NULL)
{
    heap.launch[1].grid_word = (uintptr_t)&heap.items;
    heap.items = 77;
    execute();
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    EXPECT_STEPS(0, 1, 2, 3);
    assert_int_equal(device.run[1].items, 77);
    assert_int_equal(device.run[2].items, 102);
    assert_int_equal(packet(1)->grid[1], 1);
}

/* The most that the launch allows, and one more. */
TEST_WITH(refuses_a_grid_too_large, setup, NULL)
{
    heap.launch[2].grid_word = (uintptr_t)&heap.items;
    heap.items = 102;
    execute();
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(setup(NULL), 0);
    heap.launch[2].grid_word = (uintptr_t)&heap.items;
    heap.items = 103;
    execute();
    assert_int_equal(answer.type, SL_AGG_FAILED);
    assert_int_equal(answer.reason, SL_FAILURE_GRID);
    assert_int_equal(answer.argument[0], 103);
    assert_int_equal(answer.argument[1], 102);
    assert_int_equal(answer.argument[2], (uintptr_t)&heap.items);
    assert_int_equal(answer.argument[6], 2);
    EXPECT_STEPS(0, 1);
    size_t at = mock.log_count - 2;
    MOCK_EXPECT(&at, MOCK_WRITE(RESET, 1), MOCK_WRITE(MARK, SL_MARK_END));
}

TEST_WITH(skips_empty_launches, setup, NULL)
{
    heap.launch[1].grid_word = heap.launch[3].grid_word = (uintptr_t)&heap.items;
    execute();
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(answer.argument[2], 2);
    EXPECT_STEPS(0, 2);
}

/* Before the first packet an empty launch rings the doorbell, from which the device counts the
 * cycle limit: what repeats without ever dispatching anything ends by a fault. */
TEST_WITH(starts_the_limit_without_a_packet, setup, NULL)
{
    size_t at = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        heap.launch[i].grid_word = (uintptr_t)&heap.items;
    }
    execute();
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    expect_begin(&at);
    for (unsigned i = 0; i < STEPS; i++) {
        MOCK_EXPECT(&at, MOCK_WRITE(DISPATCH_TAIL, 0), MOCK_WRITE(PHASE, SL_PHASE_POLL),
                    MOCK_READ(COMPLETION_TAIL, 0), MOCK_READ(FAULT_TAIL, 0));
    }
    MOCK_EXPECT(&at, MOCK_WRITE(MARK, SL_MARK_END));
    assert_int_equal(mock.log_count, at);
}

static void fault_after_a_while(uint32_t reg)
{
    before_read(reg);
    if (reg == SL_REG_FAULT_TAIL && mock.log_count > 1000) {
        struct sl_fault *ring = (struct sl_fault *)(uintptr_t)*mock_register(SL_REG_FAULT_BASE);
        ring[0] = (struct sl_fault){.code = SL_FAULT_CYCLE_LIMIT};
        *mock_register(SL_REG_FAULT_TAIL) = 1;
    }
}

TEST_WITH(ends_by_the_limit, setup, NULL)
{
    heap.word = 1;
    heap.sequence.count = 1;
    heap.sequence.word = (uintptr_t)&heap.word;
    heap.launch[0].grid_word = (uintptr_t)&heap.items;
    mock.before_read = fault_after_a_while;
    execute();
    assert_int_equal(answer.type, SL_AGG_FAULTED);
    assert_int_equal(answer.fault.code, SL_FAULT_CYCLE_LIMIT);
    assert_int_equal(answer.argument[6], 0);
    assert_true(answer.argument[7] > 100);
    assert_int_equal(device.ran, 0);
}

/* In the second round of the part. */
TEST_WITH(names_the_step_of_a_fault, setup, NULL)
{
    heap.sequence.first = 1;
    heap.sequence.last = 2;
    heap.sequence.word = (uintptr_t)&heap.word;
    heap.word = 2;
    device.counts_down = true;
    device.faults_in = 3;
    execute();
    assert_int_equal(answer.type, SL_AGG_FAULTED);
    assert_int_equal(answer.argument[0], 1);
    assert_int_equal(answer.fault.code, SL_FAULT_TRAP);
    assert_int_equal(answer.argument[6], 3);
    assert_int_equal(answer.argument[7], 1);
    EXPECT_STEPS(0, 1, 2, 1, 2, 3);
}

TEST_WITH(does_not_wait_for_ever, setup, NULL)
{
    device.hangs_in = 1;
    execute();
    assert_int_equal(answer.type, SL_AGG_FAILED);
    assert_int_equal(answer.reason, SL_FAILURE_DEVICE_SILENT);
    assert_int_equal(answer.argument[2], 1);
    assert_int_equal(answer.argument[6], 1);
    EXPECT_STEPS(0, 1);
}

/* One kernel that yields is enough for the ring to be there. */
TEST_WITH(gives_memory_for_yields, setup, NULL)
{
    execute();
    assert_int_equal(*mock_register(SL_REG_YIELD_BASE), 0);
    assert_int_equal(setup(NULL), 0);
    heap.launch[1].kernel.flags = SL_KERNEL_YIELDS;
    execute();
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_not_equal(*mock_register(SL_REG_YIELD_BASE), 0);
}

static void expect_refused(enum sl_refusal reason, uint32_t step, uint64_t value, uint64_t limit)
{
    size_t at = 0;
    mock.log_count = 0;
    execute();
    MOCK_EXPECT(&at, MOCK_WRITE(MARK, SL_MARK_BEGIN), MOCK_WRITE(PHASE, SL_PHASE_OTHER),
                MOCK_WRITE(MARK, SL_MARK_END));
    assert_int_equal(mock.log_count, at);
    assert_int_equal(answer.type, SL_AGG_REFUSED);
    assert_int_equal(answer.reason, reason);
    assert_int_equal(answer.argument[0], value);
    assert_int_equal(answer.argument[1], limit);
    assert_int_equal(answer.argument[6], step);
    (void)setup(NULL);
}

TEST_WITH(refuses, setup, NULL)
{
    const uint64_t address = (uintptr_t)&heap.sequence;
    const uint64_t word = (uintptr_t)&heap.word;
    heap.sequence.magic = 7;
    expect_refused(SL_REFUSE_SEQUENCE_MAGIC, 0, 7, SL_SEQUENCE_MAGIC);
    heap.sequence.count = 0;
    expect_refused(SL_REFUSE_SEQUENCE_COUNT, 0, 0, SL_SEQUENCE_LAUNCHES);
    heap.sequence.count = UINT32_MAX;
    expect_refused(SL_REFUSE_SEQUENCE_COUNT, 0, UINT32_MAX, SL_SEQUENCE_LAUNCHES);
    heap.sequence.word = word;
    heap.sequence.last = STEPS;
    expect_refused(SL_REFUSE_SEQUENCE_PART, 0, STEPS, STEPS - 1);
    heap.sequence.word = word;
    heap.sequence.first = 2;
    heap.sequence.last = 1;
    expect_refused(SL_REFUSE_SEQUENCE_PART, 0, 2, 1);
    heap.sequence.word = word + 2;
    expect_refused(SL_REFUSE_SEQUENCE_WORD, 0, word + 2, word);
    heap.sequence.word = UINT64_MAX - 3;
    expect_refused(SL_REFUSE_SEQUENCE_WORD, 0, UINT64_MAX - 3, (uintptr_t)(&heap + 1));
    heap.sequence.word = 4;
    expect_refused(SL_REFUSE_SEQUENCE_WORD, 0, 4, (uintptr_t)&heap);
    heap.launch[3].magic = 8;
    expect_refused(SL_REFUSE_LAUNCH_MAGIC, 3, 8, SL_LAUNCH_MAGIC);
    heap.launch[2].program = (uintptr_t)&heap.other;
    expect_refused(SL_REFUSE_SEQUENCE_PROGRAM, 2, (uintptr_t)&heap.other, (uintptr_t)&heap.program);
    heap.launch[1].grid_word = word + 1;
    expect_refused(SL_REFUSE_LAUNCH_GRID_WORD, 1, word + 1, word);
    heap.launch[1].grid_word = (uintptr_t)(&heap + 1);
    expect_refused(SL_REFUSE_LAUNCH_GRID_WORD, 1, (uintptr_t)(&heap + 1), (uintptr_t)(&heap + 1));
    /* What the word may say is checked beforehand. */
    heap.launch[1].grid_word = word;
    heap.launch[1].grid[0] = 0;
    expect_refused(SL_REFUSE_LAUNCH_GRID, 1, 0, 1);
    heap.launch[2].lds_bytes = 65537;
    expect_refused(SL_REFUSE_LAUNCH_LDS, 2, 65537, 65536);
    /* The header lies in the heap, its launches do not all. */
    machine.limits.heap_limit = (uintptr_t)&heap.launch[3];
    expect_refused(SL_REFUSE_SEQUENCE_ADDRESS, 0, address, (uintptr_t)&heap.launch[3]);
    machine.limits.heap_base = address + 8;
    expect_refused(SL_REFUSE_SEQUENCE_ADDRESS, 0, address, address + 8);
}

/* A step's kernel has overwritten all launches, and the words' addresses among them: they go as
 * they were when they were checked. */
TEST_WITH(keeps_what_was_checked, setup, NULL)
{
    static const unsigned steps[] = {0, 1, 2, 1, 2, 3};
    heap.sequence.first = 1;
    heap.sequence.last = 2;
    heap.sequence.word = (uintptr_t)&heap.word;
    heap.launch[3].grid_word = (uintptr_t)&heap.items;
    heap.word = 2;
    heap.items = 5;
    device.counts_down = true;
    device.overwrites = true;
    execute();
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    expect_steps(steps, 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(device.run[i].items, steps[i] == 3 ? 5 : 100 + steps[i]);
        assert_int_equal(packet(i)->grid[1], 1);
        assert_int_equal(packet(i)->group[0], 64);
        assert_int_equal(packet(i)->group[2], 1);
        assert_int_equal(packet(i)->lds_bytes, 256 * steps[i]);
    }
}
