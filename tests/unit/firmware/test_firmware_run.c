/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The run of a graph against a device that the test plays: exact register sequences of short runs,
 * then whole Fibonacci graphs with wavefronts that end in random order, then faults and silence. */
#include <stdbool.h>
#include <string.h>

#include "common/check.h"
#include "runs/runs.h"
#include "sluice/codes.h"
#include "sluice/memory_map.h"
#include "unit/common/firmware_graph.h"
#include "unit/firmware/firmware_mock.h"

#define READ_PS       20000u
#define WAIT_LIMIT_PS 50000000u

/* The device: executes the Fibonacci kernel of the core paper's Figure 6 on packets. */
static struct {
    struct test_graph graph;
    uint64_t launched[SL_DISPATCH_ENTRIES]; /* wavefronts of a packet that have run */
    bool is_complete[SL_DISPATCH_ENTRIES];
    uint64_t first_open;
    uint64_t result;
    uint32_t random;
    unsigned speed;    /* wavefronts per poll, at random up to this; 0: silent */
    unsigned partials; /* wavefronts with fewer lanes */
    uint64_t outstanding_max;
    bool is_overflow;
} device;

static struct machine machine;
static struct sl_message_agg answer;

static uint32_t random_below(uint32_t limit)
{
    device.random ^= device.random << 13;
    device.random ^= device.random >> 17;
    device.random ^= device.random << 5;
    return device.random % limit;
}

static const struct sl_dispatch *packet(uint64_t number)
{
    const struct sl_dispatch *ring =
        (const struct sl_dispatch *)(uintptr_t)*mock_register(SL_REG_DISPATCH_BASE);
    return &ring[number % SL_DISPATCH_ENTRIES];
}

static void raise_fault(uint32_t code)
{
    const uint64_t tail = *mock_register(SL_REG_FAULT_TAIL);
    struct sl_fault *ring = (struct sl_fault *)(uintptr_t)*mock_register(SL_REG_FAULT_BASE);

    if (tail == SL_FAULT_ENTRIES) {
        (*mock_register(SL_REG_FAULT_LOST))++;
    } else {
        ring[tail] = (struct sl_fault){.code = code, .pc = 0x80400000 + tail};
        *mock_register(SL_REG_FAULT_TAIL) = tail + 1;
    }
}

static void run_lane(struct sl_channel *channel, uint32_t index)
{
    uint32_t *control = (uint32_t *)(uintptr_t)channel->control;
    uint64_t *data = (uint64_t *)(uintptr_t)channel->data;
    uint32_t *done = (uint32_t *)(uintptr_t)channel->done;
    const uint32_t offset = control[index];
    const uint64_t n = data[offset];

    if (n <= 2) {
        device.result++;
    } else if (channel->data_tail + 2 - channel->data_head > channel->width) {
        device.is_overflow = true;
        raise_fault(SL_FAULT_TRAP);
        return;
    } else {
        const uint32_t to = (uint32_t)(channel->data_tail & (channel->width - 1));
        channel->data_tail += 2;
        data[to] = n - 1;
        data[to + 1] = n - 2; /* may be the slack element */
        for (uint32_t i = 0; i < 2; i++) {
            control[channel->control_tail & (2 * channel->width - 1)] = to + i;
            channel->control_tail++;
            channel->control_reserve++;
        }
    }
    data[offset] = 9999; /* after tfree nobody may read it */
    done[(offset & (channel->width - 1)) >> channel->done_shift]++;
}

static void complete(const struct sl_dispatch *of)
{
    const uint64_t tail = (*mock_register(SL_REG_COMPLETION_TAIL))++;
    struct sl_completion *ring =
        (struct sl_completion *)(uintptr_t)*mock_register(SL_REG_COMPLETION_BASE);
    assert_true(tail - *mock_register(SL_REG_COMPLETION_HEAD) < SL_COMPLETION_ENTRIES);
    ring[tail % SL_COMPLETION_ENTRIES] = (struct sl_completion){
        .id = of->id,
        .channel = of->channel,
        .elements = of->count,
        .wavefronts = (of->count + 63) / 64,
    };
}

/* Runs one wavefront of a random packet that is not complete. */
static bool run_wavefront(void)
{
    const uint64_t tail = *mock_register(SL_REG_DISPATCH_TAIL);
    while (device.first_open < tail &&
           device.is_complete[device.first_open % SL_DISPATCH_ENTRIES]) {
        device.is_complete[device.first_open++ % SL_DISPATCH_ENTRIES] = false;
    }
    if (device.first_open == tail) {
        return false;
    }
    const uint64_t number = device.first_open + random_below((uint32_t)(tail - device.first_open));
    const size_t slot = number % SL_DISPATCH_ENTRIES;
    if (device.is_complete[slot]) {
        return true;
    }
    const struct sl_dispatch *of = packet(number);
    struct sl_channel *channel = &device.graph.channels[of->channel];
    assert_int_equal(of->id, (uint32_t)number);
    assert_int_equal(of->index_mask, 2 * channel->width - 1);
    const uint32_t begin = (uint32_t)device.launched[slot]++ * 64;
    const uint32_t lanes = of->count - begin < 64 ? of->count - begin : 64;
    device.partials += lanes < 64;
    for (uint32_t i = 0; i < lanes; i++) {
        run_lane(channel, (of->first + begin + i) & of->index_mask);
    }
    if (begin + lanes == of->count) {
        device.launched[slot] = 0;
        device.is_complete[slot] = true;
        complete(of);
    }
    return true;
}

static void before_read(uint32_t reg)
{
    *mock_register(SL_REG_TIME_PS) += READ_PS;
    if (reg == SL_REG_COMPLETION_TAIL && device.speed > 0) {
        for (unsigned i = 1 + random_below(device.speed); i > 0 && run_wavefront(); i--) {
        }
    }
}

static void after_write(uint32_t reg, uint64_t value)
{
    if (reg == SL_REG_DISPATCH_TAIL) {
        const uint64_t outstanding = value - *mock_register(SL_REG_COMPLETION_TAIL);
        if (outstanding > device.outstanding_max) {
            device.outstanding_max = outstanding;
        }
    } else if (reg == SL_REG_RESET) {
        static const enum sl_register indices[] = {
            SL_REG_DISPATCH_TAIL, SL_REG_COMPLETION_TAIL, SL_REG_COMPLETION_HEAD,
            SL_REG_FAULT_TAIL,    SL_REG_FAULT_HEAD,
        };
        for (size_t i = 0; i < sizeof(indices) / sizeof(indices[0]); i++) {
            *mock_register(indices[i]) = 0;
        }
        device.first_open = 0;
        memset(device.launched, 0, sizeof(device.launched));
        memset(device.is_complete, 0, sizeof(device.is_complete));
    }
}

static void make(uint32_t width, uint32_t flags, uint64_t first, unsigned speed, uint32_t seed)
{
    mock_reset();
    memset(&device, 0, sizeof(device));
    device.graph = test_graph_fib(width, flags, first);
    device.speed = speed;
    device.random = seed;
    mock.before_read = before_read;
    mock.after_write = after_write;
    *mock_register(SL_REG_HEAP_BASE) = device.graph.limits.heap_base;
    *mock_register(SL_REG_HEAP_LIMIT) = device.graph.limits.heap_limit;
    *mock_register(SL_REG_LANES) = 64;
    *mock_register(SL_REG_POOL_BLOCKS) = 40;
    *mock_register(SL_REG_WAIT_LIMIT_PS) = WAIT_LIMIT_PS;
    run_machine_init(&machine);
    mock.log_count = 0;
}

static void execute_protected(uint64_t protection)
{
    memset(&answer, 0, sizeof(answer));
    run_execute(&run_graph, &machine, (uint64_t)(uintptr_t)device.graph.graph, protection, &answer);
}

static void execute(void)
{
    execute_protected(0);
}

static void expect_begin(size_t *at)
{
    MOCK_EXPECT(at, MOCK_WRITE(MARK, SL_MARK_BEGIN), MOCK_WRITE(PHASE, SL_PHASE_OTHER),
                MOCK_WRITE(RESET, 1),
                MOCK_WRITE(DISPATCH_BASE, *mock_register(SL_REG_DISPATCH_BASE)),
                MOCK_WRITE(COMPLETION_BASE, *mock_register(SL_REG_COMPLETION_BASE)),
                MOCK_WRITE(FAULT_BASE, *mock_register(SL_REG_FAULT_BASE)),
                MOCK_WRITE(PROGRAM, device.graph.graph->program),
                MOCK_WRITE(GRAPH, (uint64_t)(uintptr_t)device.graph.graph),
                MOCK_WRITE(PHASE, SL_PHASE_POLL));
}

/* Nothing to do: complete at once. */
TEST(test_empty)
{
    size_t at = 0;
    make(256, 0, 0, 1, 1);
    execute();
    expect_begin(&at);
    MOCK_EXPECT(&at, MOCK_READ(COMPLETION_TAIL, 0), MOCK_READ(FAULT_TAIL, 0),
                MOCK_WRITE(PHASE, SL_PHASE_RETIRE), MOCK_WRITE(MARK, SL_MARK_END));
    assert_int_equal(mock.log_count, at);
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(answer.argument[0], 0);
    assert_int_equal(answer.argument[2], 0);
}

/* One element: a partial wavefront, one doorbell. */
TEST(test_one)
{
    size_t at = 0;
    make(256, 0, 0, 1, 1);
    test_graph_put(&device.graph, 0, 1);
    execute();
    expect_begin(&at);
    MOCK_EXPECT(&at, MOCK_READ(COMPLETION_TAIL, 0), MOCK_READ(FAULT_TAIL, 0),
                MOCK_WRITE(PHASE, SL_PHASE_PREDICATE), MOCK_WRITE(PHASE, SL_PHASE_DISPATCH),
                MOCK_WRITE(DISPATCH_TAIL, 1), MOCK_WRITE(PHASE, SL_PHASE_POLL),
                MOCK_READ(COMPLETION_TAIL, 1), MOCK_WRITE(COMPLETION_HEAD, 1),
                MOCK_READ(FAULT_TAIL, 0), MOCK_WRITE(PHASE, SL_PHASE_RETIRE),
                MOCK_WRITE(MARK, SL_MARK_END));
    assert_int_equal(mock.log_count, at);
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(answer.argument[0], 1);
    assert_int_equal(answer.argument[1], 1);
    assert_int_equal(answer.argument[2], 1);
    assert_int_equal(device.result, 1);
    assert_int_equal(device.graph.channels[0].control_head, 1);
}

TEST(test_refused)
{
    size_t at = 0;
    make(128, 0, 0, 1, 1);
    execute();
    MOCK_EXPECT(&at, MOCK_WRITE(MARK, SL_MARK_BEGIN), MOCK_WRITE(PHASE, SL_PHASE_OTHER),
                MOCK_WRITE(MARK, SL_MARK_END));
    assert_int_equal(mock.log_count, at);
    assert_int_equal(answer.type, SL_AGG_REFUSED);
    assert_int_equal(answer.reason, SL_REFUSE_CHANNEL_NARROW);
    assert_int_equal(answer.node, 0);
    assert_int_equal(answer.argument[0], 128);
    assert_int_equal(answer.argument[1], 256);
}

/* The device has the table before it has the program, and before it has anything to run. */
TEST(test_protected)
{
    size_t at = 0;
    make(256, 0, 0, 1, 1);
    struct sl_protection *const table = test_graph_alloc(sizeof(*table));
    table->magic = SL_PROTECTION_MAGIC;
    table->count = SL_RANGES_MAX;
    test_graph_put(&device.graph, 0, 1);
    execute_protected((uintptr_t)table);
    MOCK_EXPECT(&at, MOCK_WRITE(MARK, SL_MARK_BEGIN), MOCK_WRITE(PHASE, SL_PHASE_OTHER),
                MOCK_WRITE(RESET, 1), MOCK_WRITE(PROTECTION, (uintptr_t)table),
                MOCK_WRITE(DISPATCH_BASE, *mock_register(SL_REG_DISPATCH_BASE)),
                MOCK_WRITE(COMPLETION_BASE, *mock_register(SL_REG_COMPLETION_BASE)),
                MOCK_WRITE(FAULT_BASE, *mock_register(SL_REG_FAULT_BASE)),
                MOCK_WRITE(PROGRAM, device.graph.graph->program));
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(device.result, 1);
}

/* The run is given up before the device knows of it. */
static void expect_unprotected(uint64_t protection)
{
    size_t at = 0;

    mock.log_count = 0;
    execute_protected(protection);
    MOCK_EXPECT(&at, MOCK_WRITE(MARK, SL_MARK_BEGIN), MOCK_WRITE(PHASE, SL_PHASE_OTHER),
                MOCK_WRITE(MARK, SL_MARK_END));
    assert_int_equal(mock.log_count, at);
    assert_int_equal(answer.type, SL_AGG_FAILED);
    assert_int_equal(answer.reason, SL_FAILURE_PROTECTION);
    assert_int_equal(answer.argument[0], protection);
}

TEST(test_no_table)
{
    make(256, 0, 0, 1, 1);
    uint8_t *const memory = test_graph_alloc(2 * sizeof(struct sl_protection));
    struct sl_protection *const table = (struct sl_protection *)(void *)memory;
    const struct sl_graph_limits *const limits = &machine.limits;
    const uint64_t anywhere[] = {
        1,
        64,
        SL_KERNEL_BASE,
        limits->heap_base - SL_RANGE_GRAIN,
        limits->heap_limit,
        (limits->heap_limit - sizeof(*table)) / SL_RANGE_GRAIN * SL_RANGE_GRAIN + SL_RANGE_GRAIN,
        0ull - SL_RANGE_GRAIN,
        UINT64_MAX,
    };
    for (size_t i = 0; i < sizeof(anywhere) / sizeof(anywhere[0]); i++) {
        expect_unprotected(anywhere[i]);
    }
    expect_unprotected((uintptr_t)table); /* without the magic number */
    table->magic = SL_PROTECTION_MAGIC;
    table->count = SL_RANGES_MAX + 1;
    expect_unprotected((uintptr_t)table);
    table->count = UINT32_MAX;
    expect_unprotected((uintptr_t)table);
    *(struct sl_protection *)(void *)(memory + 8) =
        (struct sl_protection){.magic = SL_PROTECTION_MAGIC, .count = 1};
    expect_unprotected((uintptr_t)memory + 8);
    memset(memory, 0, 2 * sizeof(*table));
    table->magic = SL_PROTECTION_MAGIC;
    execute_protected((uintptr_t)table); /* none at all is a table, too */
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
}

/* A kernel overwrites its channel's tail, in the middle of a run, or behind the last of its
 * elements, when nothing else is new: the run is given up, and the next one is right. */
static struct {
    uint64_t elements; /* that were dispatched before */
    uint64_t tail;
} overwrite;

static void overwrite_tail(uint32_t reg)
{
    before_read(reg);
    if (reg == SL_REG_COMPLETION_TAIL &&
        *mock_register(SL_REG_COMPLETION_TAIL) >= overwrite.elements) {
        device.graph.channels[0].control_tail = overwrite.tail;
    }
}

TEST(test_overwritten_tail)
{
    static const uint64_t tails[] = {0, 1ull << 40, UINT64_MAX, 1ull << 63, 700000};

    for (size_t i = 0; i < 2 * sizeof(tails) / sizeof(tails[0]); i++) {
        make(16384, 0, 640000, 4, (uint32_t)(i + 1));
        overwrite.elements = i % 2 == 0 ? 5 : 1;
        overwrite.tail = tails[i / 2];
        mock.before_read = overwrite_tail;
        test_graph_put(&device.graph, 0, i % 2 == 0 ? 15 : 1);
        execute();
        assert_int_equal(answer.type, SL_AGG_FAILED);
        assert_int_equal(answer.reason, SL_FAILURE_BOOKS);
        assert_int_equal(answer.argument[0], 0);
        assert_int_equal(answer.argument[1], SL_AUDIT_CONTROL_TAIL);
        assert_int_equal(answer.argument[2], overwrite.tail);
        make(16384, 0, 640000, 4, (uint32_t)(i + 1));
        test_graph_put(&device.graph, 0, 15);
        execute();
        assert_int_equal(answer.type, SL_AGG_COMPLETE);
        assert_int_equal(answer.argument[0], 1219); /* 2 x fib(15) - 1 */
    }
}

static uint64_t fib(uint64_t n)
{
    uint64_t a = 1;
    uint64_t b = 1;
    for (; n > 2; n--) {
        const uint64_t next = a + b;
        a = b;
        b = next;
    }
    return b;
}

static void expect_fib(uint64_t n, uint64_t first)
{
    const struct sl_channel *channel = &device.graph.channels[0];
    const uint64_t elements = 2 * fib(n) - 1; /* leaves and inner nodes of a binary tree */

    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(device.result, fib(n));
    assert_int_equal(answer.argument[0], elements);
    assert_int_equal(answer.argument[2], *mock_register(SL_REG_DISPATCH_TAIL));
    assert_int_equal(channel->control_tail - first, elements);
    assert_int_equal(channel->control_head, channel->control_tail);
    /* All whole groups are deallocated and their counts zero again. */
    assert_int_equal(channel->data_head - first, elements & ~63ull);
    const uint32_t *done = (const uint32_t *)(uintptr_t)channel->done;
    for (uint32_t i = 0; i < channel->width / 64; i++) {
        const bool is_partial = i == (channel->data_head & (channel->width - 1)) / 64;
        assert_int_equal(done[i], is_partial ? elements % 64 : 0);
    }
}

TEST(test_fib)
{
    for (uint32_t seed = 1; seed <= 40; seed++) {
        const uint64_t n = 1 + seed % 19;
        const uint64_t first = seed % 3 == 0 ? 0ull - 640 : 0; /* counters that wrap at 2^64 */
        make(16384, 0, first, 1 + seed % 7, seed * 2654435761u);
        test_graph_put(&device.graph, 0, n);
        execute();
        expect_fib(n, first);
        assert_true(device.outstanding_max <= SL_COMPLETION_ENTRIES);
    }
}

/* The smallest channel: the data array wraps many times, at odd offsets too. */
TEST(test_fib_narrow)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        make(64, SL_CHANNEL_NARROW, 0, 1, seed * 40503u);
        device.graph.channels[0].done_shift = 2;
        for (unsigned round = 0; round < 30; round++) {
            /* Little enough at a time to fit, on a graph that is executed again and again. */
            const uint64_t before = device.result;
            struct sl_channel *channel = &device.graph.channels[0];
            test_graph_put(&device.graph, 0, 4);
            execute();
            assert_int_equal(answer.type, SL_AGG_COMPLETE);
            assert_int_equal(device.result - before, 3);
            assert_int_equal(channel->data_head, channel->data_tail & ~3ull);
        }
    }
}

/* Partial wavefronts go only when nothing is in flight. */
TEST(test_partials)
{
    make(16384, 0, 0, 1000, 7);
    test_graph_put(&device.graph, 0, 18);
    execute();
    expect_fib(18, 0);
    const unsigned rare = device.partials;
    make(16384, 0, 0, 1000, 7);
    device.graph.channels[0].predicate = SL_PREDICATE_ALWAYS;
    test_graph_put(&device.graph, 0, 18);
    execute();
    expect_fib(18, 0);
    assert_true(rare <= 64);
    assert_true(device.partials > 0);
}

TEST(test_predicates)
{
    for (uint32_t predicate = 0; predicate <= SL_PREDICATE_ALWAYS; predicate++) {
        make(16384, 0, 0, 2, 99 + predicate);
        device.graph.channels[0].predicate = predicate;
        device.graph.channels[0].predicate_argument = 40;
        test_graph_put(&device.graph, 0, 17);
        execute();
        expect_fib(17, 0);
    }
}

/* An overflow is a fault, not a hang; and the next graph runs. */
TEST(test_overflow)
{
    make(256, 0, 0, 4, 3);
    test_graph_put(&device.graph, 0, 20);
    execute();
    assert_true(device.is_overflow);
    assert_int_equal(answer.type, SL_AGG_FAULTED);
    assert_true(answer.argument[0] >= 1);
    assert_int_equal(answer.fault.code, SL_FAULT_TRAP);
    assert_int_equal(answer.fault.pc, 0x80400000);
    size_t at = mock.log_count - 2;
    MOCK_EXPECT(&at, MOCK_WRITE(RESET, 1), MOCK_WRITE(MARK, SL_MARK_END));
    make(16384, 0, 0, 4, 3);
    test_graph_put(&device.graph, 0, 15);
    execute();
    expect_fib(15, 0);
}

/* A fault without any completion, as of a kernel that loops for ever, is found too. */
static void fault_late(uint32_t reg)
{
    before_read(reg);
    if (reg == SL_REG_COMPLETION_TAIL && mock.log_count > 100 &&
        *mock_register(SL_REG_FAULT_TAIL) == 0) {
        raise_fault(SL_FAULT_CYCLE_LIMIT);
    }
}

TEST(test_fault_alone)
{
    make(256, 0, 0, 0, 1);
    mock.before_read = fault_late;
    test_graph_put(&device.graph, 0, 1);
    execute();
    assert_int_equal(answer.type, SL_AGG_FAULTED);
    assert_int_equal(answer.argument[0], 1);
    assert_int_equal(answer.fault.code, SL_FAULT_CYCLE_LIMIT);
}

TEST(test_silent)
{
    make(256, 0, 0, 0, 1);
    *mock_register(SL_REG_RESIDENT) = 1;
    test_graph_put(&device.graph, 0, 1);
    execute();
    assert_int_equal(answer.type, SL_AGG_FAILED);
    assert_int_equal(answer.reason, SL_FAILURE_DEVICE_SILENT);
    assert_int_equal(answer.argument[0], WAIT_LIMIT_PS);
    assert_int_equal(answer.argument[1], 1);
    assert_int_equal(answer.argument[2], 1);
    assert_true(*mock_register(SL_REG_TIME_PS) > WAIT_LIMIT_PS);
    assert_true(*mock_register(SL_REG_TIME_PS) < 2 * WAIT_LIMIT_PS);
}
