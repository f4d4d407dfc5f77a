/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Blocked time by what the firmware was doing, and before the first and behind the last wavefront
 * (sim-soc/events/activity.h). */
#include "common/check.h"
#include "soc/common/driver.h"

static struct asm_code code;

/* A kernel that only returns. */
static uint64_t place_return(struct driver *d)
{
    asm_begin(&code);
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    return driver_kernel(d, 0, 0);
}

/* A core that executes a cycle longer, an instruction in 1.5 ns: marks are not on cycles' edges. */
#define HALVES "simple.alu_cycles=1", "simple.memory_cycles=1"

static void enter(struct driver *d, enum sl_phase phase)
{
    driver_store(d, SL_REG_PHASE, phase);
}

/* What is expected of a run; phases in the order of enum sl_phase. */
struct blocked {
    uint64_t phase[SL_PHASE_COUNT];
    uint64_t between[SL_PHASE_COUNT]; /* of these, between the first and the last wavefront */
    uint64_t start;
    uint64_t end;
};

#define PHASE(PHASE)                                                                               \
    [SL_PHASE_##PHASE] = {SL_STAT_GPU_BLOCKED_##PHASE##_CYCLES,                                    \
                          SL_STAT_GPU_BLOCKED_BETWEEN_##PHASE##_CYCLES}

static void expect_blocked(const uint64_t *statistics, const struct blocked *expected)
{
    static const struct {
        enum sl_statistic all;
        enum sl_statistic between;
    } phases[SL_PHASE_COUNT] = {
        PHASE(OTHER),    PHASE(POLL),   PHASE(PREDICATE), PHASE(SCHEDULE),
        PHASE(DISPATCH), PHASE(RETIRE), PHASE(YIELD),     PHASE(MAILBOX),
    };

    for (unsigned i = 0; i < SL_PHASE_COUNT; i++) {
        assert_int_equal(statistics[phases[i].all], expected->phase[i]);
        assert_int_equal(statistics[phases[i].between], expected->between[i]);
    }
    assert_int_equal(statistics[SL_STAT_GPU_BLOCKED_START_CYCLES], expected->start);
    assert_int_equal(statistics[SL_STAT_GPU_BLOCKED_END_CYCLES], expected->end);
}

/* Times in ns. A mark takes effect 1 behind the end of the instruction before it, and ends 0.5
 * later; a packet whose bell rings at N is launched in cycle N + 8, its wavefront is gone in
 * N + 14.
 *
 *      107.5  the begin's 5 stores are over
 *      108.5  DISPATCH: OTHER had cycles 0 to 107
 *      130.5  bell; 138 launch, 144 end
 *      131.5  POLL: DISPATCH had 108 to 130, POLL has 131 to 137 and 144 to 162
 *      163.0  RETIRE, behind 20 idle instructions up to 162
 *      185.0  bell; 193 launch, 199 end
 *      186.0  SCHEDULE: RETIRE had 163 to 185, SCHEDULE has 186 to 192 and 199 to 216
 *      195.0  YIELD, with a wavefront resident, up to 196.5, SCHEDULE again; it has none
 *      217.5  MAILBOX, behind 13 idle instructions up to 216.5: the whole of cycle 217
 *      239.5  end: cycles 217 to 238
 *
 * So 138 are before the first wavefront, 49 (POLL's second 19, RETIRE's 23, SCHEDULE's first 7)
 * between the two, and 40 (18 and 22) behind the last one. */
TEST(test_phases_of_blocked_time)
{
    static const struct blocked expected = {
        .phase =
            {
                [SL_PHASE_OTHER] = 108,
                [SL_PHASE_POLL] = 7 + 19,
                [SL_PHASE_SCHEDULE] = 7 + 18,
                [SL_PHASE_DISPATCH] = 23,
                [SL_PHASE_RETIRE] = 23,
                [SL_PHASE_MAILBOX] = 22,
            },
        .between = {[SL_PHASE_POLL] = 19, [SL_PHASE_RETIRE] = 23, [SL_PHASE_SCHEDULE] = 7},
        .start = 138,
        .end = 40,
    };
    struct driver *d = DRIVER(HALVES, "gpu.cus=1");
    const uint64_t kernel = place_return(d);

    for (unsigned run = 0; run < 2; run++) { /* the second has nothing of the first */
        driver_begin(d);
        enter(d, SL_PHASE_DISPATCH);
        driver_packet(d, kernel, 0, 64);
        driver_bell(d);
        enter(d, SL_PHASE_POLL);
        driver_idle(d, 20);
        enter(d, SL_PHASE_RETIRE);
        driver_packet(d, kernel, 0, 64);
        driver_bell(d);
        enter(d, SL_PHASE_SCHEDULE);
        driver_idle(d, 5);
        enter(d, SL_PHASE_YIELD);
        enter(d, SL_PHASE_SCHEDULE);
        driver_idle(d, 13);
        enter(d, SL_PHASE_MAILBOX);
        const uint64_t *statistics = driver_end(d);
        expect_blocked(statistics, &expected);
        assert_int_equal(statistics[SL_STAT_GPU_CYCLES], 239);
        assert_int_equal(d->soc->activity.blocked_cycles, 239 - 2 * 6);
        enter(d, SL_PHASE_YIELD); /* between runs */
    }
    driver_destroy(d);
}

/* A cycle of 4 ns with three marks in it, at 108.5, 110 and 111.5, counts for the last one's phase.
 * One that takes effect at 116, the edge of cycle 29, has that cycle. END's store is over at 138,
 * in cycle 34. All of a run without a wavefront is before its first. */
TEST(test_phases_in_one_cycle)
{
    static const struct blocked expected = {
        .phase = {[SL_PHASE_OTHER] = 27, [SL_PHASE_SCHEDULE] = 2, [SL_PHASE_RETIRE] = 5},
        .start = 34,
    };
    struct driver *d = DRIVER(HALVES, "gpu.cus=1", "gpu.clock=250MHz");

    (void)place_return(d);
    driver_begin(d);
    enter(d, SL_PHASE_POLL);
    enter(d, SL_PHASE_PREDICATE);
    enter(d, SL_PHASE_SCHEDULE);
    driver_idle(d, 2);
    enter(d, SL_PHASE_RETIRE);
    expect_blocked(driver_end(d), &expected);
    driver_destroy(d);
}

/* A reset takes a wavefront that never ends: from then on, in the cycle of its store's end, time is
 * blocked, and behind the last one.
 *
 *      107.5  begin; 129.0 bell, launch in 137
 *      174.0  30 idle instructions are over
 *      195.5  reset: blocked from 195 on
 *      196.5  RETIRE: OTHER had 0 to 136 and 195
 *      218.5  end: RETIRE had 196 to 217 */
TEST(test_reset)
{
    static const struct blocked expected = {
        .phase = {[SL_PHASE_OTHER] = 137 + 1, [SL_PHASE_RETIRE] = 22},
        .start = 137,
        .end = 23,
    };
    struct driver *d = DRIVER(HALVES, "gpu.cus=1");

    asm_begin(&code);
    asm_put(&code, asm_JAL(ZERO, 0));
    driver_place(d, &code);
    driver_begin(d);
    driver_packet(d, driver_kernel(d, 0, 0), 0, 64);
    driver_bell(d);
    driver_idle(d, 30);
    driver_store(d, SL_REG_RESET, 1);
    enter(d, SL_PHASE_RETIRE);
    expect_blocked(driver_end(d), &expected);
    driver_destroy(d);
}
