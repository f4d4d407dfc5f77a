/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The limits of a run (sim-soc/soc/run_limits.h, progress_watchdog.h) and of firmware outside runs
 * (firmware_watchdog.h): nothing winds the absolute one up again; what counts as progress; when
 * each is told.
 *
 * gpu.progress_limit=8000 is looked at each 1000 cycles. A wavefront that a doorbell launches is
 * seen by the first look behind it, so that eight more without anything new are over 9000 cycles
 * behind it. */
#include "common/check.h"
#include "soc/common/driver.h"

#define CYCLE_PS    1000u
#define TOLERANCE   10000u /* ps: an idle instruction and a store take less */
#define HANG_PS     10000000000ull
#define COUNTS      0  /* offsets of the kernels: one that counts for ever, */
#define STANDS      8  /* and one that looks at a word in two lines for ever, which is in doubt */
#define STORES      16 /* one that counts and stores the sum, */
#define STORES_SAME 28 /* and one that stores a zero for ever, but counts */
#define FILLS       40 /* one that stores to LINES lines, and ends */
#define LINES       16
#define SOON        "gpu.progress_limit=8000"
#define PERIOD_PS   (1000u * CYCLE_PS)
#define SPLIT       "gpu.misaligned=split"
#define STRAY_STEPS 50000000u

static struct asm_code code;

static void place(struct driver *d)
{
    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, T0, 1));
    asm_put(&code, asm_JAL(ZERO, -4));
    asm_function(&code);
    asm_put(&code, asm_LW(T0, A2, 62));
    asm_put(&code, asm_JAL(ZERO, -4));
    asm_function(&code);
    asm_put(&code, asm_ADDI(T0, T0, 1));
    asm_put(&code, asm_SW(T0, A2, 0));
    asm_put(&code, asm_JAL(ZERO, -8));
    asm_function(&code);
    asm_put(&code, asm_ADDI(T0, T0, 1));
    asm_put(&code, asm_SW(ZERO, A2, 0));
    asm_put(&code, asm_JAL(ZERO, -8));
    asm_function(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, LINES));
    asm_put(&code, asm_SW(T0, A2, 0));
    asm_put(&code, asm_ADDI(A2, A2, 64));
    asm_put(&code, asm_ADDI(T0, T0, -1));
    asm_put(&code, asm_BNE(T0, ZERO, -12));
    asm_put(&code, asm_JALR(ZERO, RA, 0));
    driver_place(d, &code);
}

/* A run of one wavefront of the kernel at an offset. Returns the time of its first doorbell. */
static uint64_t run_one(struct driver *d, uint32_t pc)
{
    place(d);
    const uint64_t kernel = driver_kernel(d, pc, (driver_take(d, 192) + 63) & ~63ull);
    driver_begin(d);
    driver_packet(d, kernel, 0, 64);
    driver_bell(d);
    return d->soc->core->time_ps;
}

static void expect_at(struct driver *d, uint64_t time_ps, enum sl_fault_code fault)
{
    driver_idle_until(d, time_ps - TOLERANCE);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
    driver_idle_until(d, time_ps + TOLERANCE);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 1);
    assert_int_equal(driver_fault(d, 0)->code, fault);
}

/* ---- the absolute limit ---- */

/* Neither doorbells nor marks, nor a reset with another wavefront behind it. */
TEST(test_nothing_winds_it_up)
{
    struct driver *d = DRIVER("gpu.cycle_limit=20000", "gpu.progress_limit=0");
    const uint64_t start = run_one(d, COUNTS);

    driver_idle_until(d, start + 5000 * CYCLE_PS);
    driver_store(d, SL_REG_MARK, SL_MARK_BEGIN);
    driver_store(d, SL_REG_RESET, 1);
    d->tail = 0;
    driver_packet(d, driver_kernel(d, COUNTS, 0), 0, 64);
    driver_bell(d);
    driver_store(d, SL_REG_MARK, SL_MARK_PAUSE);
    driver_idle(d, 100);
    driver_store(d, SL_REG_MARK, SL_MARK_RESUME);
    while (d->soc->core->time_ps < start + 19000 * CYCLE_PS) {
        driver_idle(d, 100);
        driver_bell(d);
    }
    expect_at(d, start + 20000 * CYCLE_PS, SL_FAULT_CYCLE_LIMIT);
    driver_destroy(d);
}

/* Firmware that is told and rings on hangs: 10 ms and twice the limit later. */
TEST(test_doorbells_for_ever)
{
    struct driver *d = DRIVER("gpu.cycle_limit=1000", "gpu.progress_limit=0");
    const uint64_t start = run_one(d, COUNTS);
    const uint64_t end = start + 3000 * CYCLE_PS + HANG_PS;

    while (d->soc->core->time_ps < end - TOLERANCE * 100) {
        driver_idle(d, 1000);
        driver_bell(d);
    }
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 1);
    assert_int_equal(d->exits, 0);
    driver_idle_until(d, end + TOLERANCE);
    assert_int_equal(d->exits, 1);
    assert_int_equal(d->exit_status, SL_EXIT_HUNG);
    driver_destroy(d);
}

/* Firmware that waits for memory does not hang: 400 stores to lines that take 64 us each are longer
 * than it has for the first doorbell, but so few instructions are not. */
TEST(test_slow_memory)
{
    struct driver *d = DRIVER("gpu.cycle_limit=1000", "gpu.progress_limit=0", "dram.bandwidth=1",
                              "mem.system=moesi");
    const uint64_t lines = driver_take(d, 400 * SL_CACHE_LINE_BYTES);

    place(d);
    driver_begin(d);
    for (unsigned i = 0; i < 400; i++) {
        driver_store_memory(d, lines + i * SL_CACHE_LINE_BYTES, 0);
    }
    assert_in_range(d->soc->core->time_ps, 2 * HANG_PS, UINT64_MAX);
    assert_int_equal(d->exits, 0);
    driver_idle_until(d, 5 * HANG_PS);
    assert_int_equal(d->exit_status, SL_EXIT_HUNG);
    driver_destroy(d);
}

/* Runs of one message share the limit; the next message has all of it again. */
TEST(test_runs_of_a_message)
{
    struct driver *d = DRIVER("gpu.cycle_limit=20000", "gpu.progress_limit=0");

    driver_mailbox(d)->host_head = 7;
    uint64_t start = run_one(d, COUNTS);
    driver_idle_until(d, start + 15000 * CYCLE_PS);
    (void)driver_end(d);
    const uint64_t used = d->soc->core->time_ps;
    start = run_one(d, COUNTS);
    expect_at(d, start + 20000 * CYCLE_PS - used, SL_FAULT_CYCLE_LIMIT);
    (void)driver_end(d);
    driver_mailbox(d)->host_head = 8;
    start = run_one(d, COUNTS);
    expect_at(d, start + 20000 * CYCLE_PS, SL_FAULT_CYCLE_LIMIT);
    driver_destroy(d);
}

/* ---- the limit without progress ---- */

static void expect_standstill(struct driver *d)
{
    const uint64_t start = run_one(d, STANDS);

    expect_at(d, start + 9 * PERIOD_PS, SL_FAULT_PROGRESS);
    const struct sl_fault *fault = driver_fault(d, 0);
    assert_int_equal(fault->value0, 8000);
    assert_int_equal(fault->value1, 1);
    assert_int_equal(fault->wavefront, 0);
    assert_int_equal(fault->lanes, UINT64_MAX);
    assert_int_equal(fault->holder_state, SL_HOLDER_LOOPS);
    assert_in_range(fault->time_ps, start + 9 * PERIOD_PS, start + 9 * PERIOD_PS + TOLERANCE);
}

/* Twice, at the same time. */
TEST(test_standstill)
{
    uint64_t time_ps[2];

    for (unsigned i = 0; i < 2; i++) {
        struct driver *d = DRIVER(SOON, SPLIT);
        expect_standstill(d);
        time_ps[i] = driver_fault(d, 0)->time_ps;
        driver_destroy(d);
    }
    assert_int_equal(time_ps[0], time_ps[1]);
}

TEST(test_standstill_on_caches)
{
    static const char *const systems[] = {"mem.system=flat", "mem.system=wt",
                                          "mem.system=quickrelease", "mem.system=scoped"};

    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        struct driver *d = DRIVER(SOON, SPLIT, systems[i]);
        expect_standstill(d);
        driver_destroy(d);
    }
}

/* Stores that wait in a write buffer reach memory, be it a line in 8000 cycles, which is the limit
 * for each of LINES. */
TEST(test_slow_stores)
{
    static const char *const systems[] = {"mem.system=moesi", "mem.system=nol1"};

    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        struct driver *d = DRIVER(SOON, "gpu.consistency=tso", "dram.bandwidth=8", systems[i]);
        const uint64_t start = run_one(d, FILLS);

        while (driver_read(d, SL_REG_COMPLETION_TAIL) == 0) {
            assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 0);
            driver_idle(d, 1000);
        }
        assert_in_range(d->soc->core->time_ps, start + 8 * LINES * PERIOD_PS, UINT64_MAX);
        driver_destroy(d);
    }
}

/* With gpu.progress_limit=0 there is none. */
TEST(test_none)
{
    struct driver *d = DRIVER("gpu.progress_limit=0", SPLIT, "gpu.cycle_limit=40000");
    const uint64_t start = run_one(d, STANDS);

    expect_at(d, start + 40000 * CYCLE_PS, SL_FAULT_CYCLE_LIMIT);
    driver_destroy(d);
}

/* A loop that counts in registers, at 4 cycles an instruction, has executed more than 8000 of them
 * 32 looks behind the first one. A search finds that it counts at each fifth look: 4 quiet ones,
 * and one more for its rounds. So it is told at the 36th. */
TEST(test_counting)
{
    struct driver *d = DRIVER(SOON, "gpu.cycle_limit=100000");
    const uint64_t start = run_one(d, COUNTS);

    expect_at(d, start + 36 * PERIOD_PS, SL_FAULT_PROGRESS);
    assert_int_equal(driver_fault(d, 0)->holder_state, SL_HOLDER_COUNTS);
    assert_int_equal(driver_fault(d, 0)->value0, 35000);
    driver_destroy(d);
}

/* One that counts is progress for those that stand still, and it is the one that is told: at each
 * sixth look, as the first search of a row is for one wavefront, which stands still. */
TEST(test_another_counts)
{
    struct driver *d = DRIVER(SOON, SPLIT, "gpu.cycle_limit=100000");

    const uint64_t start = run_one(d, STANDS);
    driver_packet(d, driver_kernel(d, COUNTS, 0), 0, 64);
    driver_bell(d);
    expect_at(d, start + 37 * PERIOD_PS, SL_FAULT_PROGRESS);
    assert_int_equal(driver_fault(d, 0)->holder_state, SL_HOLDER_COUNTS);
    assert_int_equal(driver_fault(d, 0)->wavefront, 1);
    driver_destroy(d);
}

/* One that stores what it counts changes memory, and ends at the absolute limit alone; one that
 * stores the same for ever changes nothing. */
TEST(test_storing)
{
    struct driver *d = DRIVER(SOON, "gpu.cycle_limit=100000");
    uint64_t start = run_one(d, STORES);

    expect_at(d, start + 100000 * CYCLE_PS, SL_FAULT_CYCLE_LIMIT);
    driver_destroy(d);
    d = DRIVER(SOON, "gpu.cycle_limit=100000");
    start = run_one(d, STORES_SAME);
    expect_at(d, start + 36 * PERIOD_PS, SL_FAULT_PROGRESS);
    driver_destroy(d);
}

/* Without a wavefront nothing is launched by the doorbell: eight looks. */
TEST(test_no_wavefront)
{
    struct driver *d = DRIVER(SOON);

    place(d);
    driver_begin(d);
    driver_bell(d);
    expect_at(d, d->soc->core->time_ps + 8 * PERIOD_PS, SL_FAULT_PROGRESS);
    assert_int_equal(driver_fault(d, 0)->lanes, 0);
    driver_destroy(d);
}

/* What waits for a time that the host has named waits for something: the looks from there on count.
 */
TEST(test_message_to_come)
{
    struct driver *d = DRIVER(SOON);
    struct sl_message_host *message = &driver_mailbox(d)->host[0];

    place(d);
    message->type = SL_HOST_ENQ;
    d->wait_answer = 1;
    driver_store(d, SL_REG_HOST_WAIT, 0);
    driver_begin(d);
    driver_bell(d);
    const uint64_t start = d->soc->core->time_ps;
    message->argument[0] = start + 20 * PERIOD_PS + PERIOD_PS / 2;
    expect_at(d, start + 28 * PERIOD_PS, SL_FAULT_PROGRESS);
    driver_destroy(d);
}

/* ---- firmware outside runs ---- */

static void outside(struct driver *d, uint64_t instructions)
{
    for (uint64_t i = 0; i < instructions; i++) {
        soc_untimed_instruction(d->soc);
    }
}

TEST(test_strays)
{
    struct driver *d = DRIVER("gpu.cus=1");

    outside(d, 6 * (uint64_t)STRAY_STEPS - 1); /* boots */
    assert_int_equal(d->exits, 0);
    outside(d, 1);
    assert_int_equal(d->exit_status, SL_EXIT_STRAYED_BOOT);
    driver_store(d, SL_REG_HOST_WAIT, 0); /* waits for the host, and again before it is too late */
    outside(d, STRAY_STEPS - 1);
    driver_store(d, SL_REG_HOST_WAIT, 0);
    outside(d, STRAY_STEPS - 1);
    assert_int_equal(d->exits, 1);
    outside(d, 1);
    assert_int_equal(d->exit_status, SL_EXIT_STRAYED_IDLE);

    d->wait_answer =
        1; /* a message, which it does not read: another wait is none of its business */
    driver_store(d, SL_REG_HOST_WAIT, 0);
    outside(d, STRAY_STEPS / 2);
    driver_store(d, SL_REG_HOST_WAIT, 0);
    outside(d, STRAY_STEPS / 2);
    assert_int_equal(d->exit_status, SL_EXIT_STRAYED_MESSAGE);
    assert_int_equal(d->exits, 3);
    driver_mailbox(d)->host_head = 1; /* it has read it, and another run of instructions is due */
    outside(d, STRAY_STEPS);
    assert_int_equal(d->exits, 3);
    outside(d, STRAY_STEPS);
    assert_int_equal(d->exits, 4);
    driver_destroy(d);
}
