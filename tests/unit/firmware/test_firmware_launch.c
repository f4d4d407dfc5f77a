/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The firmware's run of a launch: the exact sequence of register accesses, the packet that it
 * writes, refusals, faults, and a device that stays silent. */
#include <string.h>

#include "common/check.h"
#include "runs/runs.h"
#include "sluice/memory_map.h"
#include "unit/firmware/firmware_mock.h"

#define WAIT_LIMIT_PS 1000000000ull
#define READ_PS       20000ull

/* What lies in the shared heap. */
static struct {
    _Alignas(64) struct sl_launch launch;
    struct sl_program program;
    uint32_t reconvergence[32];
} heap;

static struct machine machine;
static struct sl_message_agg answer;
static uint64_t completes_at; /* read of COMPLETION_TAIL that finds the packet complete; 0: none */
static uint64_t faults_at;    /* the same for a fault */
static uint64_t yields_at;    /* the same for two yields */
static uint64_t reads;

static void before_read(uint32_t reg)
{
    *mock_register(SL_REG_TIME_PS) += READ_PS;
    if (reg != SL_REG_COMPLETION_TAIL) {
        return;
    }
    reads++;
    if (reads == faults_at) {
        struct sl_fault *ring = (struct sl_fault *)(uintptr_t)*mock_register(SL_REG_FAULT_BASE);
        ring[0] = (struct sl_fault){.code = SL_FAULT_BARRIER_DIVERGENT};
        *mock_register(SL_REG_FAULT_TAIL) = 1;
    }
    if (reads == yields_at) {
        struct sl_yield *ring = (struct sl_yield *)(uintptr_t)*mock_register(SL_REG_YIELD_BASE);
        ring[0] = (struct sl_yield){.block = 0x1000, .resource = 77, .channel = 88};
        ring[1] = (struct sl_yield){.block = 0x3000};
        *mock_register(SL_REG_YIELD_TAIL) = 2;
    }
    if (reads == completes_at) {
        struct sl_completion *ring =
            (struct sl_completion *)(uintptr_t)*mock_register(SL_REG_COMPLETION_BASE);
        ring[0] = (struct sl_completion){.elements = 8, .wavefronts = 30};
        *mock_register(SL_REG_COMPLETION_TAIL) = 1;
    }
}

static int setup(void **state)
{
    (void)state;
    mock_reset();
    mock.before_read = before_read;
    reads = 0;
    completes_at = 2;
    faults_at = 0;
    yields_at = 0;
    memset(&answer, 0, sizeof answer);
    heap.program = (struct sl_program){
        .code = SL_KERNEL_BASE, .code_bytes = 64, .reconvergence = (uintptr_t)heap.reconvergence};
    heap.launch = (struct sl_launch){
        .magic = SL_LAUNCH_MAGIC,
        .lds_bytes = 4096,
        .program = (uintptr_t)&heap.program,
        .grid = {1000, 2, 1},
        .group = {256, 1, 1},
        .kernel = {.entry = SL_KERNEL_BASE, .argument_count = 8, .registers = 12},
    };
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

static void launch(void)
{
    run_execute(&run_launch, &machine, (uintptr_t)&heap.launch, 0, &answer);
}

static void expect_begin(size_t *at)
{
    MOCK_EXPECT(at, MOCK_WRITE(MARK, SL_MARK_BEGIN), MOCK_WRITE(PHASE, SL_PHASE_OTHER),
                MOCK_WRITE(RESET, 1),
                MOCK_WRITE(DISPATCH_BASE, *mock_register(SL_REG_DISPATCH_BASE)),
                MOCK_WRITE(COMPLETION_BASE, *mock_register(SL_REG_COMPLETION_BASE)),
                MOCK_WRITE(FAULT_BASE, *mock_register(SL_REG_FAULT_BASE)),
                MOCK_WRITE(PROGRAM, (uintptr_t)&heap.program), MOCK_WRITE(GRAPH, 0),
                MOCK_WRITE(PHASE, SL_PHASE_DISPATCH), MOCK_WRITE(DISPATCH_TAIL, 1),
                MOCK_WRITE(PHASE, SL_PHASE_POLL));
}

TEST_WITH(runs_to_completion, setup, NULL)
{
    size_t at = 0;
    launch();
    expect_begin(&at);
    MOCK_EXPECT(&at, MOCK_READ(COMPLETION_TAIL, 0), MOCK_READ(COMPLETION_TAIL, 1),
                MOCK_WRITE(COMPLETION_HEAD, 1), MOCK_READ(FAULT_TAIL, 0),
                MOCK_WRITE(MARK, SL_MARK_END));
    assert_int_equal(mock.log_count, at);
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(answer.argument[0], 8);
    assert_int_equal(answer.argument[1], 30);
    assert_int_equal(answer.argument[2], 1);

    const struct sl_dispatch *packet =
        (const struct sl_dispatch *)(uintptr_t)*mock_register(SL_REG_DISPATCH_BASE);
    const struct sl_dispatch expected = {
        .kernel = (uintptr_t)&heap.launch.kernel,
        .kind = SL_DISPATCH_NDRANGE,
        .grid = {1000, 2, 1},
        .group = {256, 1, 1},
        .lds_bytes = 4096,
    };
    assert_memory_equal(packet, &expected, sizeof expected);
}

/* Without channels there is nothing to wait for: both are restarted at once, in order, whatever
 * they say that they are blocked on. */
TEST_WITH(restarts_at_once, setup, NULL)
{
    heap.launch.kernel.flags = SL_KERNEL_YIELDS;
    yields_at = 2;
    completes_at = 3;
    launch();
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(*mock_register(SL_REG_YIELD_HEAD), 2);
    assert_int_equal(*mock_register(SL_REG_DISPATCH_TAIL), 3);
    const struct sl_dispatch *packet =
        (const struct sl_dispatch *)(uintptr_t)*mock_register(SL_REG_DISPATCH_BASE);
    for (unsigned i = 1; i < 3; i++) {
        assert_int_equal(packet[i].kind, SL_DISPATCH_RESTART);
        assert_int_equal(packet[i].kernel, i == 1 ? 0x1000 : 0x3000);
    }
}

TEST_WITH(reports_a_fault, setup, NULL)
{
    completes_at = 0;
    faults_at = 3;
    launch();
    assert_int_equal(answer.type, SL_AGG_FAULTED);
    assert_int_equal(answer.argument[0], 1);
    assert_int_equal(answer.fault.code, SL_FAULT_BARRIER_DIVERGENT);
    size_t at = mock.log_count - 2;
    MOCK_EXPECT(&at, MOCK_WRITE(RESET, 1), MOCK_WRITE(MARK, SL_MARK_END));
}

TEST_WITH(does_not_wait_for_ever, setup, NULL)
{
    completes_at = 0;
    launch();
    assert_int_equal(answer.type, SL_AGG_FAILED);
    assert_int_equal(answer.reason, SL_FAILURE_DEVICE_SILENT);
    assert_int_equal(answer.argument[2], 1);
    assert_true(*mock_register(SL_REG_TIME_PS) < 2 * WAIT_LIMIT_PS);
}

static void expect_refused(enum sl_refusal reason, uint64_t value, uint64_t limit)
{
    size_t at = 0;
    mock.log_count = 0;
    launch();
    MOCK_EXPECT(&at, MOCK_WRITE(MARK, SL_MARK_BEGIN), MOCK_WRITE(PHASE, SL_PHASE_OTHER),
                MOCK_WRITE(MARK, SL_MARK_END));
    assert_int_equal(mock.log_count, at);
    assert_int_equal(answer.type, SL_AGG_REFUSED);
    assert_int_equal(answer.reason, reason);
    assert_int_equal(answer.argument[0], value);
    assert_int_equal(answer.argument[1], limit);
    (void)setup(NULL);
}

TEST_WITH(refuses, setup, NULL)
{
    heap.launch.magic = 7;
    expect_refused(SL_REFUSE_LAUNCH_MAGIC, 7, SL_LAUNCH_MAGIC);
    heap.launch.program += 4;
    expect_refused(SL_REFUSE_PROGRAM, (uintptr_t)&heap.program + 4, (uintptr_t)&heap.program);
    heap.program.code_bytes = 0;
    expect_refused(SL_REFUSE_PROGRAM, 0, SL_KERNEL_BYTES);
    heap.launch.kernel.entry = SL_KERNEL_BASE + 64;
    expect_refused(SL_REFUSE_KERNEL_ENTRY, SL_KERNEL_BASE + 64, SL_KERNEL_BASE + 64);
    heap.launch.kernel.argument_count = 9;
    expect_refused(SL_REFUSE_KERNEL_ARGUMENTS, 9, 8);
    heap.launch.grid[1] = 0;
    expect_refused(SL_REFUSE_LAUNCH_GRID, 0, 1);
    heap.launch.grid[0] = heap.launch.grid[1] = UINT32_MAX;
    expect_refused(SL_REFUSE_LAUNCH_GRID, 16777216ull * UINT32_MAX, UINT32_MAX);
    heap.launch.group[2] = 5;
    expect_refused(SL_REFUSE_LAUNCH_GROUP, 1280, SL_GROUP_ITEMS);
    heap.launch.group[0] = UINT32_MAX;
    expect_refused(SL_REFUSE_LAUNCH_GROUP, UINT32_MAX, SL_GROUP_ITEMS);
    heap.launch.group[0] = 1024;
    heap.launch.kernel.registers = 129; /* 3 wavefronts in each of 4 SIMD units */
    expect_refused(SL_REFUSE_LAUNCH_REGISTERS, 16, 12);
    heap.launch.lds_bytes = 65537;
    expect_refused(SL_REFUSE_LAUNCH_LDS, 65537, 65536);
    machine.cu.contexts = 3;
    expect_refused(SL_REFUSE_LAUNCH_CONTEXTS, 4, 3);
    machine.limits.heap_limit = (uintptr_t)&heap + 100;
    expect_refused(SL_REFUSE_LAUNCH_ADDRESS, (uintptr_t)&heap, (uintptr_t)&heap + 100);
}
