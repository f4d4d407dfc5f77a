/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The device window: what registers show, marks and simulated time, phases, the host's side, reset
 * in mid-run, the cycle limit, and the aggregator's stores as the compute units see them. */
#include <string.h>

#include "common/check.h"
#include "soc/common/driver.h"

static struct asm_code code;

static double real(const uint64_t *statistics, enum sl_statistic which)
{
    double value;
    memcpy(&value, &statistics[which], sizeof value);
    return value;
}

/* A kernel that only returns, and behind it (at 4) one that never ends. */
static void place_simple(struct driver *d)
{
    asm_begin(&code);
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_put(&code, asm_ADDI(T0, T0, 1));
    asm_put(&code, asm_JAL(ZERO, -4));
    driver_place(d, &code);
}

#define ENDLESS 4

TEST(test_registers_shown)
{
    struct driver *d = DRIVER("gpu.cus=5", "gpu.lanes=32", "gpu.contexts=12", "gpu.clock=500MHz",
                              "gpu.cycle_limit=4000");
    const struct {
        enum sl_register reg;
        uint64_t value;
    } shown[] = {
        {SL_REG_ID, 0x3130454349554c53},
        {SL_REG_VERSION, 1},
        {SL_REG_DRAM_BYTES, SL_MIB(64)},
        {SL_REG_HEAP_BASE, 0x80800000},
        {SL_REG_HEAP_LIMIT, d->layout.heap_limit},
        {SL_REG_POOL_BASE, d->layout.pool_base},
        {SL_REG_POOL_BLOCK_BYTES, d->layout.pool_block_bytes},
        {SL_REG_POOL_BLOCKS, 60},
        {SL_REG_CUS, 5},
        {SL_REG_LANES, 32},
        {SL_REG_CONTEXTS, 12},
        {SL_REG_TIME_PS, 0},
        {SL_REG_WAIT_LIMIT_PS, 4000 * 2000 / 4 * 5},
        {SL_REG_DISPATCH_HEAD, 0},
        {SL_REG_COMPLETION_TAIL, 0},
        {SL_REG_FAULT_TAIL, 0},
        {SL_REG_FAULT_LOST, 0},
        {SL_REG_RESIDENT, 0},
        {SL_REG_QUEUED, 0},
    };

    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        assert_int_equal(driver_read(d, shown[i].reg), shown[i].value);
    }
    driver_destroy(d);
}

/* Time runs between the marks only. An idle instruction takes effect after its fetch (1000 ps),
 * when it ends; END is a store of 21000. */
TEST(test_marks_gate_time)
{
    struct driver *d = DRIVER("gpu.cus=1");

    driver_idle(d, 100);
    driver_store(d, SL_REG_FAULT_HEAD, 0);
    assert_int_equal(driver_read(d, SL_REG_TIME_PS), 0);
    driver_store(d, SL_REG_MARK, SL_MARK_END); /* nothing to end */
    driver_store(d, SL_REG_MARK, SL_MARK_BEGIN);
    assert_int_equal(driver_read(d, SL_REG_TIME_PS), 0);
    driver_idle(d, 11);
    assert_int_equal(driver_read(d, SL_REG_TIME_PS), 10 * DRIVER_IDLE_PS + 1000);
    driver_store(d, SL_REG_MARK, SL_MARK_BEGIN); /* has begun: no new start */
    driver_store(d, SL_REG_MARK, 77);            /* no such mark */
    const uint64_t *statistics = driver_end(d);
    uint64_t total_ps = 11 * DRIVER_IDLE_PS + 3 * DRIVER_STORE_PS;
    assert_int_equal(statistics[SL_STAT_AGG_CYCLES], total_ps / 500);
    assert_int_equal(statistics[SL_STAT_AGG_INSTRUCTIONS], 14);
    assert_int_equal(statistics[SL_STAT_AGG_FETCHES], 14);
    assert_int_equal(statistics[SL_STAT_AGG_DEVICE_ACCESSES], 3);
    assert_int_equal(statistics[SL_STAT_GPU_CYCLES], total_ps / 1000);
    assert_true(real(statistics, SL_STAT_GPU_BLOCKED_ON_AGG_PCT) == 100);
    assert_true(real(statistics, SL_STAT_SIM_WALL_S) == 1);
    uint64_t time = driver_read(d, SL_REG_TIME_PS);
    driver_idle(d, 50);
    driver_store(d, SL_REG_MARK, SL_MARK_END);
    assert_int_equal(driver_read(d, SL_REG_TIME_PS), time);
    assert_int_equal(statistics[SL_STAT_AGG_INSTRUCTIONS], 14);

    driver_store(d, SL_REG_MARK, SL_MARK_BEGIN); /* a second run starts at zero */
    driver_idle(d, 1);
    assert_int_equal(driver_read(d, SL_REG_TIME_PS), 1000);
    assert_int_equal(driver_end(d)[SL_STAT_AGG_INSTRUCTIONS], 2);
    driver_destroy(d);
}

/* A store to PHASE costs its instruction alone, 2 cycles, which count to the phase before it.
 * OTHER: the begin's 5 stores of 42, and 2; POLL: 10 x 2 and 2; DISPATCH: 20 x 2 and the END
 * store's 42. A phase that is none changes nothing. */
TEST(test_phases)
{
    struct driver *d = DRIVER("gpu.cus=1");

    place_simple(d);
    driver_begin(d);
    driver_store(d, SL_REG_PHASE, SL_PHASE_POLL);
    driver_idle(d, 10);
    driver_store(d, SL_REG_PHASE, SL_PHASE_DISPATCH);
    driver_idle(d, 10);
    driver_store(d, SL_REG_PHASE, SL_PHASE_COUNT);
    driver_idle(d, 9);
    const uint64_t *statistics = driver_end(d);
    assert_int_equal(statistics[SL_STAT_AGG_PHASE_OTHER_CYCLES], 5 * 42 + 2);
    assert_int_equal(statistics[SL_STAT_AGG_PHASE_POLL_CYCLES], 10 * 2 + 2);
    assert_int_equal(statistics[SL_STAT_AGG_PHASE_DISPATCH_CYCLES], 20 * 2 + 42);
    assert_int_equal(statistics[SL_STAT_AGG_CYCLES], 212 + 22 + 82);
    driver_destroy(d);
}

/* A pass of the firmware begins with a load of COMPLETION_TAIL: these count, in a run, and no store
 * to it, nor a load of another register. */
TEST(test_passes)
{
    struct driver *d = DRIVER("gpu.cus=1");
    const uint64_t tail = d->layout.window_base + SL_REG_COMPLETION_TAIL;

    place_simple(d);
    soc_access(d->soc, tail, 8, false);
    driver_begin(d);
    for (int i = 0; i < 3; i++) {
        soc_access(d->soc, tail, 8, false);
    }
    soc_access(d->soc, tail, 8, true);
    soc_access(d->soc, d->layout.window_base + SL_REG_YIELD_TAIL, 8, false);
    assert_int_equal(driver_end(d)[SL_STAT_AGG_PASSES], 3);
    driver_begin(d);
    assert_int_equal(driver_end(d)[SL_STAT_AGG_PASSES], 0);
    driver_destroy(d);
}

/* A store to a byte of PHASE is short for one of its number. OTHER: begin's 5 stores of 42 and
 * 4 x 2; YIELD: 7 x 2 and the END store's 42. */
TEST(test_phase_bytes)
{
    struct driver *d = DRIVER("gpu.cus=1");

    place_simple(d);
    driver_begin(d);
    driver_idle(d, 4);
    soc_access(d->soc, d->layout.window_base + SL_REG_PHASE + SL_PHASE_YIELD, 1, true);
    driver_idle(d, 7);
    const uint64_t *statistics = driver_end(d);
    assert_int_equal(statistics[SL_STAT_AGG_PHASE_OTHER_CYCLES], 5 * 42 + 4 * 2);
    assert_int_equal(statistics[SL_STAT_AGG_PHASE_YIELD_CYCLES], 7 * 2 + 42);
    assert_int_equal(statistics[SL_STAT_AGG_DEVICE_ACCESSES], 6);
    driver_destroy(d);
}

/* The accelerator runs up to the time of the END store's arrival (E), and no further. The bell at
 * N: an endless wavefront issues at N + 10 and every 4 cycles from there, up to E. What other
 * cycles there are is blocked, up to its launch at N + 8, or stalled, 2 cycles. */
TEST(test_end_of_a_run)
{
    for (unsigned idle = 0; idle < 8; idle++) {
        struct driver *d = DRIVER("gpu.cus=1");
        place_simple(d);
        driver_begin(d);
        driver_packet(d, driver_kernel(d, ENDLESS, 0), 0, 64);
        driver_bell(d);
        uint64_t bell = d->soc->core->time_ps / 1000;
        driver_idle(d, 50 + idle);
        const uint64_t *statistics = driver_end(d);
        uint64_t end = d->soc->core->time_ps / 1000;
        assert_int_equal(statistics[SL_STAT_GPU_CYCLES], end);
        assert_int_equal(statistics[SL_STAT_SIMT_WAVE_INSTRUCTIONS], (end - bell - 10) / 4 + 1);
        assert_int_equal(d->soc->activity.blocked_cycles, bell + 8);
        assert_int_equal(d->soc->activity.stalled_cycles, 2);
        assert_int_equal(d->soc->activity.active_cycles, end - bell - 10);
        driver_destroy(d);
    }
}

/* The host's tail shows after a wait and after the end of a run, never in between. */
TEST(test_host_tail_is_latched)
{
    struct driver *d = DRIVER("gpu.cus=1");

    driver_mailbox(d)->host_tail = 3;
    driver_idle(d, 5);
    driver_store(d, SL_REG_FAULT_HEAD, 0);
    assert_int_equal(driver_read(d, SL_REG_HOST_TAIL), 0);
    d->wait_answer = 4; /* the host writes during the wait */
    driver_store(d, SL_REG_HOST_WAIT, 2);
    assert_int_equal(d->waits, 1);
    assert_int_equal(d->wait_seen, 2);
    assert_int_equal(driver_read(d, SL_REG_HOST_TAIL), 4);

    driver_mailbox(d)->host_tail = 5;
    driver_store(d, SL_REG_MARK, SL_MARK_BEGIN);
    driver_idle(d, 100);
    driver_store(d, SL_REG_COMPLETION_HEAD, 0);
    driver_store(d, SL_REG_HOST_BELL, 1);
    assert_int_equal(driver_read(d, SL_REG_HOST_TAIL), 4);
    (void)driver_end(d);
    assert_int_equal(driver_read(d, SL_REG_HOST_TAIL), 5);
    assert_int_equal(d->wakes, 2); /* when the run begins, and by the bell */
    assert_int_equal(d->waits, 1);
    driver_destroy(d);
}

/* Stores that no register takes are counted, the first with its place, and do nothing. */
TEST(test_stray_stores)
{
    struct driver *d = DRIVER("gpu.cus=1");
    const uint64_t window = d->layout.window_base;

    driver_begin(d);
    driver_store(d, SL_REG_COMPLETION_HEAD, 0);
    soc_access(d->soc, window + SL_REG_PHASE + SL_PHASE_POLL, 1, true);
    soc_access(d->soc, window + SL_REG_BYTES, 4, true); /* behind the registers */
    assert_int_equal(driver_read(d, SL_REG_STRAY_STORES), 0);
    soc_access(d->soc, window + SL_REG_EXIT, 4, true);
    assert_int_equal(d->exits, 0);
    assert_int_equal(driver_read(d, SL_REG_STRAY_STORES), 1);
    driver_store(d, SL_REG_CUS, 7);
    soc_access(d->soc, window + SL_REG_MARK + 4, 8, true);
    soc_access(d->soc, window + SL_REG_BYTES - 8, 8, true);
    assert_int_equal(driver_read(d, SL_REG_STRAY_STORES), 4);
    assert_int_equal(driver_read(d, SL_REG_STRAY_OFFSET), SL_REG_EXIT);
    assert_int_equal(driver_read(d, SL_REG_STRAY_PC), DRIVER_PC);
    driver_destroy(d);
}

TEST(test_exit)
{
    struct driver *d = DRIVER("gpu.cus=1");

    driver_store(d, SL_REG_EXIT, SL_EXIT_TRAPPED);
    assert_int_equal(d->exits, 1);
    assert_int_equal(d->exit_status, SL_EXIT_TRAPPED);
    driver_store(d, SL_REG_EXIT, 0x300 + 5); /* statuses have 8 bits */
    assert_int_equal(d->exit_status, 5);
    driver_destroy(d);
}

/* A descriptor that is none is a fault; kernels are refused until a good one comes. */
TEST(test_bad_programs)
{
    struct driver *d = DRIVER("gpu.cus=1");
    struct sl_program good;
    struct sl_program bad[10];

    place_simple(d);
    uint64_t kernel = driver_kernel(d, 0, 0);
    good = *(struct sl_program *)driver_at(d, d->program);
    for (unsigned i = 0; i < 10; i++) {
        bad[i] = good;
    }
    bad[0].code += 1;
    bad[1].code_bytes = 0;
    bad[2].code_bytes = SL_KERNEL_BYTES + 4;
    bad[3].code_bytes -= 1;
    bad[4].code = d->layout.dram_limit - 4;
    bad[5].reconvergence = d->layout.dram_limit - 4;
    bad[6].reconvergence += 1;
    bad[7].routines = good.code - 4; /* not all of them are in the code */
    bad[7].routines_bytes = 8;
    bad[8].routines = good.code;
    bad[8].routines_bytes = good.code_bytes + 2;
    bad[9].routines = good.code + good.code_bytes;
    bad[9].routines_bytes = UINT64_MAX - 1;
    driver_begin(d);
    uint32_t faults = 0;
    for (unsigned i = 0; i < 10; i++) {
        *(struct sl_program *)driver_at(d, d->program) = bad[i];
        driver_store(d, SL_REG_PROGRAM, d->program);
        assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), ++faults);
        assert_int_equal(driver_fault(d, faults - 1)->code, SL_FAULT_PACKET);
        assert_int_equal(driver_fault(d, faults - 1)->address, d->program);
    }
    static const uint64_t addresses[] = {0, SL_HEAP_BASE + 4, SL_DRAM_BASE - 8, UINT64_MAX - 7};
    for (unsigned i = 0; i < 4; i++) {
        driver_store(d, SL_REG_PROGRAM, addresses[i]);
        assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), ++faults);
        assert_int_equal(driver_fault(d, faults - 1)->address, addresses[i]);
    }
    driver_packet(d, kernel, 0, 1);
    driver_bell(d);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), ++faults);
    *(struct sl_program *)driver_at(d, d->program) = good;
    driver_store(d, SL_REG_PROGRAM, d->program);
    driver_packet(d, kernel, 0, 1);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    driver_destroy(d);
}

/* While wavefronts are resident, their program stays: another is refused, and they go on. */
TEST(test_program_of_resident_wavefronts)
{
    struct driver *d = DRIVER("gpu.cus=1");
    uint64_t words = driver_take(d, 4096);

    asm_begin(&code);
    asm_put(&code, asm_SLLI(T0, A1, 6));
    asm_put(&code, asm_ADD(T0, T0, A2));
    asm_put(&code, asm_SD(A2, T0, 0));
    asm_repeat(&code, ASM_NOP, 40);
    asm_put(&code, asm_SD(A1, A2, 8));
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    uint64_t kernel = driver_kernel(d, 0, words);
    driver_begin(d);
    driver_packet(d, kernel, 0, 64);
    driver_bell(d);
    driver_idle(d, 20); /* its store of 64 lines is under way */
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 1);
    driver_store(d, SL_REG_PROGRAM, d->program);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 1);
    assert_int_equal(driver_fault(d, 0)->address, d->program);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    const uint64_t *values = driver_at(d, words);
    assert_int_equal(values[63 * 8], words);
    assert_int_equal(values[1], 63);
    driver_destroy(d);
}

/* What a run does in the tests of reset: 3 packets of 100 elements, each adds 1 to its own word and
 * to a common one. Gives the statistics. */
static const uint64_t *run_adds(struct driver *d, uint64_t kernel)
{
    driver_begin(d);
    for (uint32_t i = 0; i < 3; i++) {
        driver_packet(d, kernel, i * 100, 100);
        driver_bell(d);
        driver_idle(d, 5);
    }
    driver_await(d, SL_REG_COMPLETION_TAIL, 3);
    return driver_end(d);
}

static uint64_t place_adds(struct driver *d, uint64_t words)
{
    asm_begin(&code);
    asm_put(&code, asm_SLLI(T0, A1, 3));
    asm_put(&code, asm_ADD(T0, T0, A2));
    asm_put(&code, asm_ADDI(T1, ZERO, 1));
    asm_label(&code, 0);
    asm_put(&code, asm_LR_D(T2, 0, A2));
    asm_put(&code, asm_ADD(T2, T2, T1));
    asm_put(&code, asm_SC_D(S0, T2, A2));
    asm_to(&code, asm_BNE(S0, ZERO, 0), 0);
    asm_put(&code, asm_AMOADD_D(ZERO, T1, T0));
    asm_put(&code, asm_SD(T1, SP, -8));
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    return driver_kernel(d, 0, words);
}

/* All figures but those of the simulator's own speed. */
static void expect_equal(const uint64_t *a, const uint64_t *b)
{
    for (unsigned i = 0; i < SL_STAT_COUNT; i++) {
        if (i != SL_STAT_SIM_WALL_S && i != SL_STAT_SIM_WAVE_INSTRUCTIONS_PER_S) {
            assert_int_equal(a[i], b[i]);
        }
    }
}

/* Reset in the middle of a run, with wavefronts, memory instructions, packets and records under
 * way: all is gone at once, nothing of it takes effect later, and a new run is that of a fresh
 * machine. */
TEST(test_reset_in_mid_run)
{
    static const char *const settings[] = {"gpu.cus=2", "gpu.contexts=4", "gpu.simds=2", NULL};
    struct driver *fresh = driver_create(settings);
    uint64_t words = driver_take(fresh, 4096);
    const uint64_t *expected = run_adds(fresh, place_adds(fresh, words));

    for (unsigned idle = 0; idle <= 120; idle += 8) {
        struct driver *d = driver_create(settings);
        assert_int_equal(driver_take(d, 4096), words);
        uint64_t kernel = place_adds(d, words);
        driver_begin(d);
        for (uint32_t i = 0; i < 40; i++) {
            driver_packet(d, kernel, i * 7, 70);
        }
        driver_packet(d, 0, 0, 1);
        driver_bell(d);
        driver_idle(d, idle);
        driver_store(d, SL_REG_RESET, 1);
        assert_int_equal(driver_read(d, SL_REG_RESIDENT), 0);
        assert_int_equal(driver_read(d, SL_REG_QUEUED), 0);
        assert_int_equal(driver_read(d, SL_REG_DISPATCH_HEAD), 0);
        assert_int_equal(driver_read(d, SL_REG_COMPLETION_TAIL), 0);
        assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
        memset(driver_at(d, words), 0, 4096);
        driver_idle(d, 500);
        const uint8_t *bytes = driver_at(d, words);
        for (unsigned i = 0; i < 4096; i++) {
            assert_int_equal(bytes[i], 0);
        }
        const uint64_t *statistics = driver_end(d);
        double parts = real(statistics, SL_STAT_GPU_ACTIVE_PCT) +
                       real(statistics, SL_STAT_GPU_STALLED_PCT) +
                       real(statistics, SL_STAT_GPU_BLOCKED_ON_AGG_PCT);
        assert_true(parts > 99.999999 && parts < 100.000001);
        expect_equal(run_adds(d, kernel), expected);
        driver_destroy(d);
    }
    const uint64_t *values = driver_at(fresh, words);
    assert_int_equal(values[0], 300 + 1); /* element 0's own word is the common one */
    assert_int_equal(values[299], 1);
    driver_destroy(fresh);
}

/* Within one run, too: after a reset the same rings work from the start. */
TEST(test_reset_and_go_on)
{
    struct driver *d = DRIVER("gpu.cus=1");

    place_simple(d);
    uint64_t endless = driver_kernel(d, ENDLESS, 0);
    uint64_t ending = driver_kernel(d, 0, 0);
    driver_begin(d);
    driver_packet(d, endless, 0, 500);
    driver_bell(d);
    driver_idle(d, 100);
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 8);
    driver_store(d, SL_REG_RESET, 1);
    d->tail = 0;
    driver_packet(d, ending, 0, 64)->id = 55;
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(driver_completion(d, 0)->id, 55);
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 0);
    driver_destroy(d);
}

/* The limit counts from the first doorbell. At it the oldest wavefront faults; when that does not
 * end the run for twice the limit and 10 ms more, the machine ends it. */
TEST(test_cycle_limit)
{
    struct driver *d = DRIVER("gpu.cycle_limit=2000");

    place_simple(d);
    uint64_t kernel = driver_kernel(d, ENDLESS, 0);
    driver_begin(d);
    driver_packet(d, kernel, 0, 10);
    driver_packet(d, kernel, 0, 128);
    driver_bell(d);
    const uint64_t start = d->soc->core->time_ps;
    driver_idle_until(d, start + 1998000 - 100000);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
    driver_idle_until(d, start + 2010000);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 1);
    const struct sl_fault *fault = driver_fault(d, 0);
    assert_int_equal(fault->code, SL_FAULT_CYCLE_LIMIT);
    assert_int_equal(fault->value0, 2000);
    assert_int_equal(fault->address, 0);
    assert_int_equal(fault->lanes, 0x3ff);
    assert_int_equal(fault->wavefront, 0);
    assert_int_equal(fault->dispatch, 0);
    assert_int_equal(fault->kernel, kernel);
    assert_in_range(fault->time_ps, start + 2000000 - 1000, start + 2002000);
    assert_in_range(fault->pc, SL_KERNEL_BASE + ENDLESS, SL_KERNEL_BASE + ENDLESS + 4);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(driver_completion(d, 0)->id, 0);
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 2);
    assert_int_equal(d->exits, 0);
    driver_idle_until(d, start + 5999000 + 10000000000);
    assert_int_equal(d->exits, 0);
    driver_idle_until(d, start + 6010000 + 10000000000);
    assert_int_equal(d->exits, 1);
    assert_int_equal(d->exit_status, SL_EXIT_HUNG);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 1);
    driver_destroy(d);
}

/* With no wavefront the fault is of none, here because the packet is a bad one; the next run has
 * its whole time again. A run without a doorbell has no limit. */
TEST(test_cycle_limit_without_wavefront)
{
    struct driver *d = DRIVER("gpu.cycle_limit=2000");

    place_simple(d);
    for (unsigned round = 0; round < 2; round++) {
        driver_begin(d);
        driver_idle_until(d, 5000000);
        assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
        driver_packet(d, driver_kernel(d, ENDLESS, 0), 0, 0);
        driver_bell(d);
        const uint64_t start = d->soc->core->time_ps;
        driver_idle_until(d, start + 1990000);
        assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 1);
        driver_idle_until(d, start + 2010000);
        assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 2);
        const struct sl_fault *fault = driver_fault(d, 1);
        assert_int_equal(fault->code, SL_FAULT_CYCLE_LIMIT);
        assert_int_equal(fault->value0, 2000);
        assert_int_equal(fault->lanes, 0);
        assert_int_equal(fault->kernel, 0);
        assert_int_equal(driver_end(d)[SL_STAT_GPU_FAULTS], 2);
        assert_int_equal(d->exits, 0);
    }
    driver_destroy(d);
}

/* The aggregator's stores to memory break reservations of their line. Kernel: lr, a pause as long
 * as 2000 cycles, sc; result of the sc behind the word. */
TEST(test_aggregator_store_breaks_reservation)
{
    for (unsigned breaks = 0; breaks < 2; breaks++) {
        struct driver *d = DRIVER("gpu.cus=1");
        uint64_t words = driver_take(d, 128);
        asm_begin(&code);
        asm_put(&code, asm_LR_D(T0, 0, A2));
        asm_put(&code, asm_ADDI(T1, T0, 2000));
        asm_put(&code, asm_SL_PAUSE(T1));
        asm_put(&code, asm_SC_D(T2, T1, A2));
        asm_put(&code, asm_ADDI(T2, T2, 10));
        asm_put(&code, asm_SD(T2, A2, 8));
        asm_put(&code, ASM_RET);
        driver_place(d, &code);
        driver_begin(d);
        driver_packet(d, driver_kernel(d, 0, words), 0, 1);
        driver_bell(d);
        driver_idle(d, 200);
        driver_store_memory(d, words + (breaks ? 56 : 64), 1);
        driver_await(d, SL_REG_COMPLETION_TAIL, 1);
        const uint64_t *values = driver_at(d, words);
        assert_int_equal(values[1], 10 + breaks);
        assert_int_equal(values[0], breaks ? 0 : 2000);
        driver_destroy(d);
    }
}

/* The compare-and-swaps that count are those on the channels behind the graph. */
TEST(test_graph_register)
{
    struct driver *d = DRIVER("gpu.cus=1");
    uint64_t graph = driver_take(d, sizeof(struct sl_graph) + 2 * sizeof(struct sl_channel));

    ((struct sl_graph *)driver_at(d, graph))->channel_count = 2;
    asm_begin(&code);
    for (int offset = 0; offset < 3; offset++) { /* graph, first channel, second channel */
        static const int32_t places[] = {8, sizeof(struct sl_graph), 1024};
        asm_put(&code, asm_ADDI(T0, TP, places[offset]));
        asm_put(&code, asm_LR_D(T1, 0, T0));
        asm_put(&code, asm_SC_D(T2, T1, T0));
    }
    asm_put(&code, asm_ADDI(T0, TP, sizeof(struct sl_graph) + 1024));
    asm_put(&code, asm_SC_D(T2, T1, T0)); /* behind the second channel: not counted */
    asm_put(&code, asm_ADDI(T0, T0, -8));
    asm_put(&code, asm_SC_D(T2, T1, T0)); /* its last word: counted, and fails */
    asm_put(&code, asm_SD(TP, A2, 0));
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    uint64_t seen = driver_take(d, 64);
    driver_begin(d);
    driver_store(d, SL_REG_GRAPH, graph);
    driver_packet(d, driver_kernel(d, 0, seen), 0, 1);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(*(uint64_t *)driver_at(d, seen), graph);
    const uint64_t *statistics = driver_end(d);
    assert_int_equal(statistics[SL_STAT_CHANNEL_CAS_ATTEMPTS], 3);
    assert_int_equal(statistics[SL_STAT_CHANNEL_CAS_FAILURES], 1);
    driver_destroy(d);
}

/* In a pause nothing is charged and nothing moves, and firmware may wait for the host; a run can
 * neither begin nor end in one. */
TEST(test_pause)
{
    struct driver *d = DRIVER("gpu.cus=1");

    place_simple(d);
    driver_begin(d);
    driver_packet(d, driver_kernel(d, 0, 0), 0, 64);
    driver_bell(d);
    driver_store(d, SL_REG_MARK, SL_MARK_PAUSE);
    const uint64_t time_ps = d->soc->core->time_ps;
    const uint64_t instructions = d->soc->core->counters.instructions;
    d->wait_answer = 3;
    driver_store(d, SL_REG_HOST_WAIT, 2);
    assert_int_equal(driver_read(d, SL_REG_HOST_TAIL), 3);
    driver_idle(d, 1000);
    driver_store(d, SL_REG_MARK, SL_MARK_BEGIN);
    driver_store(d, SL_REG_MARK, SL_MARK_END);
    driver_store(d, SL_REG_MARK, SL_MARK_RESUME);
    assert_int_equal(d->soc->core->time_ps, time_ps);
    assert_int_equal(d->soc->core->counters.instructions, instructions);
    assert_int_equal(driver_read(d, SL_REG_COMPLETION_TAIL), 0);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_true(d->soc->core->time_ps > time_ps);
    (void)driver_end(d);
    const uint64_t end_ps = d->soc->core->time_ps;
    driver_store(d, SL_REG_MARK, SL_MARK_RESUME); /* of no run */
    driver_idle(d, 10);
    assert_int_equal(d->soc->core->time_ps, end_ps);
    driver_destroy(d);
}

/* A graph of one channel of 64 elements, each on a line of its own, and a message with two of 4
 * bytes. */
struct feed_bench {
    struct driver *driver;
    struct sl_channel *channel;
    struct sl_message_host *message;
    uint64_t data;
};

static struct feed_bench feed_begin(void)
{
    struct feed_bench b = {.driver = DRIVER("gpu.cus=1")};
    struct driver *d = b.driver;
    const uint64_t graph = driver_take(d, sizeof(struct sl_graph) + sizeof(struct sl_channel));
    const uint64_t elements = driver_take(d, 64);
    struct sl_mailbox *mailbox = driver_mailbox(d);

    b.data = driver_take(d, 65 * 64);
    *(struct sl_graph *)driver_at(d, graph) = (struct sl_graph){.channel_count = 1};
    b.channel = driver_at(d, graph + sizeof(struct sl_graph));
    *b.channel = (struct sl_channel){.width = 64, .stride = 64, .data = b.data};
    mailbox->host_head = SL_MAILBOX_ENTRIES + 3;
    b.message = &mailbox->host[3];
    *b.message = (struct sl_message_host){.type = SL_HOST_ENQ,
                                          .argument = {1000, 0, 2, elements, 4, SL_FULL_WAIT}};
    ((uint32_t *)driver_at(d, elements))[0] = 0x11111111;
    ((uint32_t *)driver_at(d, elements))[1] = 0x22222222;
    place_simple(d);
    driver_begin(d);
    driver_store(d, SL_REG_GRAPH, graph);
    return b;
}

/* The host's elements are where the register says, round the array's end; nothing else is
 * touched, and the wait since the time that the host named is counted. */
TEST(test_host_store)
{
    const struct feed_bench b = feed_begin();
    struct driver *d = b.driver;
    const uint32_t *data = driver_at(d, b.data);

    driver_idle_until(d, 500000);
    driver_store(d, SL_REG_HOST_STORE, (uint64_t)77 << 32 | 63);
    const double first_ns = (double)(d->soc->core->time_ps - 1000) / 1000;
    for (unsigned i = 0; i < 65 * 16; i++) {
        assert_int_equal(data[i], i == 63 * 16 ? 0x11111111 : i == 0 ? 0x22222222 : 0);
    }
    b.message->argument[0] = SL_WHEN_IDLE; /* no wait */
    driver_store(d, SL_REG_HOST_FULL, SL_FULL_WAIT);
    driver_store(d, SL_REG_HOST_STORE, 1);
    assert_int_equal(data[16], 0x11111111);
    assert_int_equal(data[32], 0x22222222);
    driver_store(d, SL_REG_HOST_FULL, SL_FULL_DROP);
    const uint64_t *statistics = driver_end(d);
    assert_int_equal(statistics[SL_STAT_HOST_MESSAGES], 2);
    assert_int_equal(statistics[SL_STAT_HOST_ELEMENTS], 4);
    assert_int_equal(statistics[SL_STAT_HOST_FULL], 2);
    assert_int_equal(statistics[SL_STAT_HOST_DROPPED], 2);
    assert_true(real(statistics, SL_STAT_HOST_WAIT_NS) == first_ns / 2);
    assert_int_equal(statistics[SL_STAT_GPU_FAULTS], 0);
    driver_begin(d);
    assert_int_equal(driver_end(d)[SL_STAT_HOST_MESSAGES], 0);
    driver_destroy(d);
}

/* What would reach out of memory, though firmware has checked it: the kernel has overwritten its
 * channel. */
TEST(test_host_store_of_nonsense)
{
    const struct feed_bench b = feed_begin();
    struct driver *d = b.driver;
    const struct sl_channel channel = *b.channel;
    const struct sl_message_host message = *b.message;
    uint32_t faults = 0;

    for (unsigned i = 0; i < 9; i++) {
        *b.channel = channel;
        *b.message = message;
        switch (i) {
        case 0:
            b.channel->width = 0;
            break;
        case 1:
            b.channel->width = UINT32_MAX;
            break;
        case 2:
            b.channel->data = 8;
            break;
        case 3:
            b.channel->stride = 3;
            break;
        case 4:
            b.message->argument[1] = 1;
            break;
        case 5:
            b.message->argument[2] = UINT64_MAX / 4;
            break;
        case 6:
            b.message->argument[3] = UINT64_MAX - 3;
            break;
        case 7:
            b.message->argument[4] = UINT64_MAX;
            break;
        default:
            b.message->type = SL_HOST_CLOSE;
            break;
        }
        driver_store(d, SL_REG_HOST_STORE, 0);
        assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), ++faults);
        assert_int_equal(driver_fault(d, faults - 1)->code, SL_FAULT_PACKET);
    }
    *b.channel = channel;
    *b.message = message;
    driver_store(d, SL_REG_HOST_STORE, 0);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), faults);
    assert_int_equal(driver_end(d)[SL_STAT_HOST_MESSAGES], 1);
    driver_destroy(d);
}
