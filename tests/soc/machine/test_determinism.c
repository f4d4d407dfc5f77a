/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Equal runs have equal statistics and results, to the last bit: one after the other, side by side
 * in one process, and with another machine's run in between. The program is random (fixed seeds):
 * divergent branches and loops, loads and stores here and there, atomics and compare-and-swap loops
 * that contend, on many wavefronts of several compute units. Laws that hold for every run are
 * checked as well. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "aggregator/core_counters.h"
#include "common/check.h"
#include "soc/common/driver.h"

#define WORDS_BYTES 8192u
#define PACKETS     6u

static struct asm_code code;
static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

/* t0 = some double word of the argument's memory, by lane. */
static void put_address(void)
{
    asm_put(&code, asm_MUL(T0, S2 + random_below(4), A1));
    asm_put(&code, asm_SRLI(T0, T0, (int32_t)random_below(8)));
    asm_put(&code, asm_ANDI(T0, T0, 1023 - (int32_t)random_below(2) * 992));
    asm_put(&code, asm_SLLI(T0, T0, 3));
    asm_put(&code, asm_ADD(T0, T0, A2));
}

static void put_access(void)
{
    put_address();
    uint32_t value = S2 + random_below(4);
    switch (random_below(6)) {
    case 0:
        asm_put(&code, asm_LD(value, T0, 0));
        break;
    case 1:
        asm_put(&code, asm_SW(value, T0, 4));
        break;
    case 2:
        asm_put(&code, asm_AMOADD_D(value, A1, T0));
        break;
    case 3:
        asm_put(&code, asm_AMOXOR_W(ZERO, value, T0) | ASM_AQ | ASM_RL);
        break;
    case 4: { /* a compare-and-swap loop */
        int32_t start = (int32_t)asm_here(&code);
        asm_put(&code, asm_LR_D(T1, 0, T0));
        asm_put(&code, asm_ADD(T1, T1, value));
        asm_put(&code, asm_SC_D(T2, T1, T0));
        asm_put(&code, asm_BNE(T2, ZERO, start - (int32_t)asm_here(&code)));
        break;
    }
    default:
        asm_put(&code, asm_SD(value, SP, -8 * (1 + (int32_t)random_below(16))));
        break;
    }
}

static void put_program(uint64_t seed)
{
    random_state = seed;
    asm_begin(&code);
    for (uint32_t i = 0; i < 4; i++) {
        asm_put(&code, asm_ADDI(S2 + i, A1, (int32_t)random_below(2000)));
    }
    for (unsigned i = 0; i < 12; i++) {
        asm_put(&code, asm_ANDI(T1, S2 + random_below(4), 1 << random_below(3)));
        uint32_t at = code.count;
        asm_put(&code, 0);
        put_access();
        if (random_below(4) == 0) {
            asm_put(&code, random_below(2) ? asm_FENCE() : asm_PAUSE());
        }
        code.word[at] = asm_BEQ(T1, ZERO, (int32_t)(code.count - at) * 4);
        put_access();
    }
    asm_put(&code, ASM_RET);
}

/* A machine in the middle of a run, which can be carried on piece by piece. */
struct run {
    struct driver *driver;
    uint64_t words;
    uint64_t kernel;
    uint32_t sent;
    uint32_t steps;
};

static void run_begin(struct run *run, uint64_t seed)
{
    run->driver = DRIVER("gpu.cus=4", "gpu.contexts=6", "gpu.simds=2");
    run->words = driver_take(run->driver, WORDS_BYTES);
    run->sent = 0;
    run->steps = 0;
    put_program(seed);
    driver_place(run->driver, &code);
    run->kernel = driver_kernel(run->driver, 0, run->words);
    driver_begin(run->driver);
}

/* Another packet, another phase, and some time. False when all are complete. */
static bool run_step(struct run *run)
{
    struct driver *d = run->driver;

    if (run->sent < PACKETS) {
        driver_packet(d, run->kernel, run->sent * 1000, 50 + run->sent * 100);
        run->sent++;
        driver_bell(d);
    }
    driver_store(d, SL_REG_PHASE, ++run->steps % SL_PHASE_COUNT);
    driver_idle(d, 37);
    return driver_read(d, SL_REG_COMPLETION_TAIL) != PACKETS;
}

struct result {
    uint64_t statistics[SL_STAT_COUNT];
    uint8_t words[WORDS_BYTES];
};

static double real(const struct result *result, enum sl_statistic which)
{
    double value;
    memcpy(&value, &result->statistics[which], sizeof value);
    return value;
}

/* Instructions by active lanes are all of them, and their lanes what the buckets allow. */
static void check_lanes(const uint64_t *s)
{
    static const struct {
        enum sl_statistic statistic;
        uint64_t least;
        uint64_t most;
    } buckets[] = {
        {SL_STAT_SIMT_LANES_1, 1, 1},       {SL_STAT_SIMT_LANES_2_3, 2, 3},
        {SL_STAT_SIMT_LANES_4_7, 4, 7},     {SL_STAT_SIMT_LANES_8_15, 8, 15},
        {SL_STAT_SIMT_LANES_16_23, 16, 23}, {SL_STAT_SIMT_LANES_24_31, 24, 31},
        {SL_STAT_SIMT_LANES_32_39, 32, 39}, {SL_STAT_SIMT_LANES_40_47, 40, 47},
        {SL_STAT_SIMT_LANES_48_55, 48, 55}, {SL_STAT_SIMT_LANES_56_63, 56, 63},
        {SL_STAT_SIMT_LANES_64, 64, 64},
    };
    uint64_t instructions = 0;
    uint64_t least = 0;
    uint64_t most = 0;

    for (size_t i = 0; i < sizeof buckets / sizeof buckets[0]; i++) {
        instructions += s[buckets[i].statistic];
        least += s[buckets[i].statistic] * buckets[i].least;
        most += s[buckets[i].statistic] * buckets[i].most;
    }
    assert_int_equal(instructions, s[SL_STAT_SIMT_WAVE_INSTRUCTIONS]);
    assert_in_range(s[SL_STAT_SIMT_LANE_INSTRUCTIONS], least, most);
    assert_in_range(s[SL_STAT_SIMT_WAITING_1], 0, s[SL_STAT_SIMT_LANES_1]);
    assert_in_range(s[SL_STAT_SIMT_WAITING_64], 0, s[SL_STAT_SIMT_LANES_64]);
}

/* Blocked time by the firmware's phases is all of it; so are its start, its end and the rest. */
static void check_blocked(const struct result *result)
{
    const uint64_t *s = result->statistics;
    const double blocked =
        real(result, SL_STAT_GPU_BLOCKED_ON_AGG_PCT) / 100 * (double)s[SL_STAT_GPU_CYCLES];
    const uint64_t phases =
        s[SL_STAT_GPU_BLOCKED_OTHER_CYCLES] + s[SL_STAT_GPU_BLOCKED_POLL_CYCLES] +
        s[SL_STAT_GPU_BLOCKED_PREDICATE_CYCLES] + s[SL_STAT_GPU_BLOCKED_SCHEDULE_CYCLES] +
        s[SL_STAT_GPU_BLOCKED_DISPATCH_CYCLES] + s[SL_STAT_GPU_BLOCKED_RETIRE_CYCLES] +
        s[SL_STAT_GPU_BLOCKED_YIELD_CYCLES] + s[SL_STAT_GPU_BLOCKED_MAILBOX_CYCLES];
    const uint64_t between =
        s[SL_STAT_GPU_BLOCKED_BETWEEN_OTHER_CYCLES] + s[SL_STAT_GPU_BLOCKED_BETWEEN_POLL_CYCLES] +
        s[SL_STAT_GPU_BLOCKED_BETWEEN_PREDICATE_CYCLES] +
        s[SL_STAT_GPU_BLOCKED_BETWEEN_SCHEDULE_CYCLES] +
        s[SL_STAT_GPU_BLOCKED_BETWEEN_DISPATCH_CYCLES] +
        s[SL_STAT_GPU_BLOCKED_BETWEEN_RETIRE_CYCLES] + s[SL_STAT_GPU_BLOCKED_BETWEEN_YIELD_CYCLES] +
        s[SL_STAT_GPU_BLOCKED_BETWEEN_MAILBOX_CYCLES];

    assert_int_equal(phases, llround(blocked));
    assert_in_range(s[SL_STAT_GPU_BLOCKED_START_CYCLES], 1, phases);
    assert_in_range(s[SL_STAT_GPU_BLOCKED_END_CYCLES], 1, phases);
    assert_int_equal(
        s[SL_STAT_GPU_BLOCKED_START_CYCLES] + between + s[SL_STAT_GPU_BLOCKED_END_CYCLES], phases);
}

/* Each cycle of the aggregator's core is in one class. */
static void check_stack(const struct result *result)
{
    const uint64_t *s = result->statistics;
    uint64_t stack = 0;

    for (int i = 0; i < SL_STACK_CLASSES; i++) {
        stack += s[SL_STAT_AGG_STACK_RETIRING + i];
    }
    assert_int_equal(stack, s[SL_STAT_AGG_CYCLES]);
}

static void check_laws(const struct result *result)
{
    const uint64_t *s = result->statistics;
    double parts = real(result, SL_STAT_GPU_ACTIVE_PCT) + real(result, SL_STAT_GPU_STALLED_PCT) +
                   real(result, SL_STAT_GPU_BLOCKED_ON_AGG_PCT);

    assert_true(parts > 99.999999 && parts < 100.000001);
    assert_int_equal(s[SL_STAT_AGG_CYCLES],
                     s[SL_STAT_AGG_PHASE_OTHER_CYCLES] + s[SL_STAT_AGG_PHASE_POLL_CYCLES] +
                         s[SL_STAT_AGG_PHASE_PREDICATE_CYCLES] +
                         s[SL_STAT_AGG_PHASE_SCHEDULE_CYCLES] +
                         s[SL_STAT_AGG_PHASE_DISPATCH_CYCLES] + s[SL_STAT_AGG_PHASE_RETIRE_CYCLES] +
                         s[SL_STAT_AGG_PHASE_YIELD_CYCLES] + s[SL_STAT_AGG_PHASE_MAILBOX_CYCLES]);
    assert_int_equal(s[SL_STAT_GPU_FAULTS], 0);
    assert_int_equal(s[SL_STAT_GPU_DISPATCHES], PACKETS);
    assert_int_equal(s[SL_STAT_GPU_ELEMENTS], 6 * 50 + 15 * 100);
    assert_int_equal(s[SL_STAT_GPU_WAVEFRONTS], 1 + 3 + 4 + 6 + 8 + 9);
    assert_true(s[SL_STAT_SIMT_DIVERGENT_BRANCHES] > 0);
    check_lanes(s);
    check_blocked(result);
    check_stack(result);
}

static void run_end(struct run *run, struct result *result)
{
    memcpy(result->statistics, driver_end(run->driver), sizeof result->statistics);
    result->statistics[SL_STAT_SIM_WALL_S] = 0;
    result->statistics[SL_STAT_SIM_WAVE_INSTRUCTIONS_PER_S] = 0;
    memcpy(result->words, driver_at(run->driver, run->words), WORDS_BYTES);
    driver_destroy(run->driver);
}

static void run_alone(uint64_t seed, struct result *result)
{
    struct run run;

    run_begin(&run, seed);
    for (unsigned steps = 0; run_step(&run); steps++) {
        assert_true(steps < 100000);
    }
    run_end(&run, result);
}

static void expect_equal(const struct result *a, const struct result *b)
{
    for (unsigned i = 0; i < SL_STAT_COUNT; i++) {
        assert_int_equal(a->statistics[i], b->statistics[i]);
    }
    assert_memory_equal(a->words, b->words, WORDS_BYTES);
}

TEST(test_equal_runs)
{
    static struct result first;
    static struct result second;

    for (uint64_t seed = 1; seed <= 6; seed++) {
        run_alone(seed, &first);
        check_laws(&first);
        run_alone(seed, &second);
        expect_equal(&first, &second);
    }
    run_alone(1, &second); /* and programs do differ */
    assert_true(memcmp(&first, &second, sizeof first) != 0);
}

/* Two machines step by step in turn, with programs of their own: as if each were alone. */
TEST(test_machines_side_by_side)
{
    static struct result alone[2];
    static struct result beside[2];
    struct run runs[2];
    bool goes_on[2] = {true, true};

    for (unsigned i = 0; i < 2; i++) {
        run_alone(20 + i, &alone[i]);
        run_begin(&runs[i], 20 + i);
    }
    while (goes_on[0] || goes_on[1]) {
        for (unsigned i = 0; i < 2; i++) {
            if (goes_on[i]) {
                goes_on[i] = run_step(&runs[i]);
            }
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        run_end(&runs[i], &beside[i]);
        expect_equal(&beside[i], &alone[i]);
    }
}

/* The second run on one machine has the first one's figures: nothing is carried over. */
TEST(test_second_run_of_a_machine)
{
    static struct result first;
    static struct result second;
    struct run run;

    run_begin(&run, 30);
    while (run_step(&run)) {
    }
    memcpy(first.statistics, driver_end(run.driver), sizeof first.statistics);
    memcpy(first.words, driver_at(run.driver, run.words), WORDS_BYTES);
    first.statistics[SL_STAT_SIM_WALL_S] = 0;
    first.statistics[SL_STAT_SIM_WAVE_INSTRUCTIONS_PER_S] = 0;
    memset(driver_at(run.driver, run.words), 0, WORDS_BYTES);
    driver_begin(run.driver);
    run.sent = 0;
    run.steps = 0;
    while (run_step(&run)) {
    }
    run_end(&run, &second);
    expect_equal(&first, &second);
}
