/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The report's data of a run that is made up here: what is found, in which order, and how channels
 * that are too many are shown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "host/observe/report/report.h"
#include "sluice/codes.h"
#include "sluice/config.h"

#define BIN_PS 1000000u
#define BINS   400u

static struct sl_config config;
static struct sl_run_report report;
static uint64_t statistics[SL_STAT_COUNT];

static int setup(void **state)
{
    (void)state;
    sl_config_init(&config);
    memset(statistics, 0, sizeof statistics);
    struct sl_report *shared = calloc(1, sizeof *shared);
    assert_non_null(shared);
    shared->bin_ps = BIN_PS;
    shared->end_ps = BINS * (uint64_t)BIN_PS;
    shared->run_ps = shared->end_ps;
    shared->cus = 8;
    assert_int_equal(sl_report_open(&report, shared), 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(report.shared);
    sl_report_close(&report);
    return 0;
}

static void put_real(enum sl_statistic id, double value)
{
    memcpy(&statistics[id], &value, sizeof value);
}

/* Half of all contexts are resident all the time, all lanes are active, and nothing waits. */
static void put_good_run(void)
{
    statistics[SL_STAT_GPU_CYCLES] = 400000;
    statistics[SL_STAT_AGG_CYCLES] = 800000;
    statistics[SL_STAT_AGG_PHASE_POLL_CYCLES] = 700000;
    statistics[SL_STAT_AGG_PHASE_RETIRE_CYCLES] = 100000;
    put_real(SL_STAT_GPU_ACTIVE_PCT, 98);
    put_real(SL_STAT_GPU_STALLED_PCT, 1);
    put_real(SL_STAT_GPU_BLOCKED_ON_AGG_PCT, 1);
    put_real(SL_STAT_GPU_SIMD_UTILIZATION_PCT, 99);
    put_real(SL_STAT_DRAM_UTILIZATION_PCT, 10);
    for (uint32_t cu = 0; cu < 8; cu++) {
        for (uint32_t i = 0; i < BINS; i++) {
            report.shared->series[SL_REPORT_RESIDENT + cu][i] = 20 * (uint64_t)BIN_PS;
        }
    }
}

static json_t *find(void)
{
    memcpy(report.results.statistics, statistics, sizeof statistics);
    json_t *const findings = sl_report_findings(&report, &config);
    assert_non_null(findings);
    return findings;
}

static const char *text(const json_t *findings, size_t index, const char *key)
{
    const char *const value =
        json_string_value(json_object_get(json_array_get(findings, index), key));
    assert_non_null(value);
    return value;
}

static void is(const json_t *findings, size_t index, const char *title, int share)
{
    assert_string_equal(text(findings, index, "title"), title);
    assert_int_equal(
        json_integer_value(json_object_get(json_array_get(findings, index), "share_pct")), share);
}

TEST_WITH(nothing_stands_out_of_a_good_run, setup, teardown)
{
    put_good_run();
    json_t *const findings = find();
    assert_int_equal(json_array_size(findings), 0);
    json_decref(findings);
}

TEST_WITH(nothing_stands_out_of_no_run, setup, teardown)
{
    json_t *const findings = find();
    /* No lane is active, of no instruction and in no time. */
    assert_int_equal(json_array_size(findings), 0);
    json_decref(findings);
}

TEST_WITH(what_explains_most_is_first, setup, teardown)
{
    put_good_run();
    put_real(SL_STAT_GPU_ACTIVE_PCT, 60);
    put_real(SL_STAT_GPU_BLOCKED_ON_AGG_PCT, 39);
    put_real(SL_STAT_GPU_SIMD_UTILIZATION_PCT, 25);
    statistics[SL_STAT_GPU_WAVEFRONTS] = 10;
    statistics[SL_STAT_GPU_YIELDS] = 5;
    statistics[SL_STAT_AGG_PHASE_YIELD_CYCLES] = 80000; /* of 800,000 cycles */
    json_t *const findings = find();
    assert_int_equal(json_array_size(findings), 3);
    is(findings, 0, "Few lanes are active", 45); /* 60 % x (1 - 25 %) */
    is(findings, 1, "The GPU is blocked on the aggregator", 39);
    is(findings, 2, "Wavefronts yield", 10);
    json_decref(findings);
}

/* ---- blocked on the aggregator ---- */

/* Of 400,000 cycles; `before` and `after` are the first and the last wavefront's, `between` a
 * phase's. Most of the aggregator's cycles are polling in all of them, which says nothing. */
static void put_blocked(uint64_t before, enum sl_statistic phase, uint64_t between, uint64_t after)
{
    put_good_run();
    put_real(SL_STAT_GPU_BLOCKED_ON_AGG_PCT, (double)(before + between + after) / 4000);
    statistics[SL_STAT_GPU_BLOCKED_START_CYCLES] = before;
    statistics[phase] += between;
    statistics[SL_STAT_GPU_BLOCKED_END_CYCLES] = after;
}

static void expect_blocked(int share, const char *sentence)
{
    json_t *const findings = find();
    assert_int_equal(json_array_size(findings), 1);
    is(findings, 0, "The GPU is blocked on the aggregator", share);
    assert_string_equal(text(findings, 0, "text"), sentence);
    json_decref(findings);
}

#define WAITS "% of the time no wavefront is on the GPU, which waits for the aggregator: "

TEST_WITH(blocked_before_the_first_wavefront, setup, teardown)
{
    put_blocked(120000, SL_STAT_GPU_BLOCKED_BETWEEN_POLL_CYCLES, 24000, 8000);
    expect_blocked(38, "For 38 " WAITS "30 % before the first wavefront, 6 % between the first and "
                       "the last, 2 % after it. Before the first, the firmware checks and prepares "
                       "what it is to run, once in a run: fewer channels shorten it, and more work "
                       "in a run makes it a smaller share.");
}

/* A launch over an NDRange has no channels. */
TEST_WITH(blocked_by_a_launch, setup, teardown)
{
    put_blocked(60000, SL_STAT_GPU_BLOCKED_BETWEEN_POLL_CYCLES, 60000, 0);
    statistics[SL_STAT_GPU_WORKGROUPS] = 16;
    expect_blocked(30, "For 30 " WAITS "15 % before the first wavefront, 15 % between the first "
                       "and the last, 0 % after it. Before the first, the firmware checks and "
                       "prepares what it is to run, once in a run: more work in a run makes it a "
                       "smaller share. Between them the GPU waits most for polling, 15 % of the "
                       "time: fewer and longer steps have less of it.");
}

TEST_WITH(blocked_between_wavefronts_for_the_phase_that_the_gpu_waits_for, setup, teardown)
{
    put_blocked(4000, SL_STAT_GPU_BLOCKED_BETWEEN_SCHEDULE_CYCLES, 80000, 0);
    statistics[SL_STAT_GPU_BLOCKED_BETWEEN_POLL_CYCLES] = 40000;
    put_real(SL_STAT_GPU_BLOCKED_ON_AGG_PCT, 31);
    expect_blocked(31, "For 31 " WAITS "1 % before the first wavefront, 30 % between the first and "
                       "the last, 0 % after it. Between them the GPU waits most for scheduling, "
                       "20 % of the time: fewer channels, or another policy, shorten it.");
}

TEST_WITH(each_phase_has_its_advice, setup, teardown)
{
    static const struct {
        enum sl_statistic id;
        const char *words;
    } phases[] = {
        {SL_STAT_GPU_BLOCKED_BETWEEN_OTHER_CYCLES,
         "work outside all phases, 20 % of the time: option"},
        {SL_STAT_GPU_BLOCKED_BETWEEN_POLL_CYCLES, "polling, 20 % of the time: fewer channels"},
        {SL_STAT_GPU_BLOCKED_BETWEEN_PREDICATE_CYCLES, "predicates, 20 % of the time: a cheaper"},
        {SL_STAT_GPU_BLOCKED_BETWEEN_SCHEDULE_CYCLES,
         "scheduling, 20 % of the time: fewer channels, or"},
        {SL_STAT_GPU_BLOCKED_BETWEEN_DISPATCH_CYCLES,
         "dispatching, 20 % of the time: fuller packets are fewer. A packet has 2.5 wavefronts"},
        {SL_STAT_GPU_BLOCKED_BETWEEN_RETIRE_CYCLES, "retiring, 20 % of the time: fewer and larger"},
        {SL_STAT_GPU_BLOCKED_BETWEEN_YIELD_CYCLES, "yields, 20 % of the time: wider channels"},
        {SL_STAT_GPU_BLOCKED_BETWEEN_MAILBOX_CYCLES,
         "messages of the host, 20 % of the time: larger groups"},
    };
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        put_blocked(0, phases[i].id, 80000, 0);
        statistics[SL_STAT_GPU_WAVEFRONTS] = 10;
        statistics[SL_STAT_GPU_DISPATCHES] = 4;
        json_t *const findings = find();
        assert_non_null(strstr(text(findings, 0, "text"), phases[i].words));
        statistics[phases[i].id] = 0;
        json_decref(findings);
    }
}

/* All three parts matter, and the text still has room for the end of the last sentence. */
TEST_WITH(blocked_before_between_and_after, setup, teardown)
{
    put_blocked(100000, SL_STAT_GPU_BLOCKED_BETWEEN_DISPATCH_CYCLES, 100000, 100000);
    statistics[SL_STAT_GPU_WAVEFRONTS] = 1000;
    statistics[SL_STAT_GPU_DISPATCHES] = 10;
    json_t *const findings = find();
    const char *const said = text(findings, 0, "text");
    assert_non_null(strstr(said, " Before the first, "));
    assert_non_null(strstr(said, " most for dispatching, 25 % of the time: "));
    assert_non_null(strstr(said, " After the last, "));
    assert_string_equal(said + strlen(said) - strlen("a smaller share."), "a smaller share.");
    json_decref(findings);
}

/* ---- what the core waits for ---- */

/* Blocked for 40 % of the time, in which 30 of 100 cycles retire; 20 are a class', 10 another's.
 * The other 40 are of as many classes, none of which is as long. */
static void put_stack(enum sl_stack_class most, enum sl_stack_class other)
{
    uint64_t *const stack = report.shared->stack.blocked[SL_PHASE_POLL];
    unsigned rest = 4;
    put_blocked(80000, SL_STAT_GPU_BLOCKED_BETWEEN_POLL_CYCLES, 80000, 0);
    memset(stack, 0, sizeof report.shared->stack.blocked[SL_PHASE_POLL]);
    stack[SL_STACK_RETIRING] = 3000;
    stack[most] += 2000;
    stack[other] += 1000;
    for (unsigned i = SL_STACK_CLASSES; i-- > 0 && rest > 0;) {
        if (stack[i] == 0) {
            stack[i] = 1000;
            rest--;
        }
    }
}

/* Returns how many findings there are; `out` has the core's, or "". */
static int core_finding(char *out, size_t bytes, int *share)
{
    json_t *const findings = find();
    const int count = (int)json_array_size(findings);
    out[0] = '\0';
    for (size_t i = 0; i < json_array_size(findings); i++) {
        if (strcmp(text(findings, i, "title"), "What the aggregator's core waits for") == 0) {
            (void)snprintf(out, bytes, "%s", text(findings, i, "text"));
            *share =
                (int)json_integer_value(json_object_get(json_array_get(findings, i), "share_pct"));
        }
    }
    json_decref(findings);
    return count;
}

TEST_WITH(the_core_waits_for_what_takes_most_of_the_blocked_time, setup, teardown)
{
    char said[640];
    int share = 0;
    put_stack(SL_STACK_MEMORY_DEVICE, SL_STACK_MEMORY_LOAD_L2);
    /* In the whole run it waits most for DRAM, while wavefronts execute. */
    statistics[SL_STAT_AGG_STACK_MEMORY_LOAD_DRAM] = 600000;
    statistics[SL_STAT_AGG_STACK_MEMORY_DEVICE] = 2000;
    assert_int_equal(core_finding(said, sizeof said, &share), 2);
    assert_int_equal(share, 8); /* 40 % x 20 % */
    assert_string_equal(said, "While the GPU waits for it, the aggregator's core commits "
                              "instructions in 30 % of its cycles, and waits most for device "
                              "registers, 20 %: fuller packets have fewer accesses, agg.device is "
                              "the latency of each access.");
    statistics[SL_STAT_GPU_WORKGROUPS] = 16; /* a launch has no channels */
    (void)core_finding(said, sizeof said, &share);
    assert_non_null(strstr(said, "registers, 20 %: agg.device is the latency of each access."));
}

/* The finding, where the core waits for code that the L2 serves in a phase, for 1500 cycles, and
 * while it polls for code that DRAM serves. */
static void say_misses_of_code(enum sl_phase phase, uint64_t from_dram, char *said, size_t bytes)
{
    int share = 0;
    put_stack(SL_STACK_MEMORY_LOAD_L2, SL_STACK_MEMORY_DEVICE);
    report.shared->stack.blocked[phase][SL_STACK_FRONTEND_L1I_L2] = 1500;
    report.shared->stack.blocked[SL_PHASE_POLL][SL_STACK_FRONTEND_L1I_DRAM] = from_dram;
    (void)core_finding(said, bytes, &share);
}

/* Misses of the L1I are one thing, whoever serves them: 15 + 15 of 100 cycles are more than 20. */
TEST_WITH(classes_of_one_cause_count_together, setup, teardown)
{
    char said[640];
    say_misses_of_code(SL_PHASE_POLL, 1500, said, sizeof said);
    assert_non_null(strstr(said, "code that misses in its L1I, 23 %: most lines are read for the "
                                 "first time"));
}

/* More work does not shorten what a run has once. */
TEST_WITH(a_wait_that_is_mostly_of_start_and_end_says_so, setup, teardown)
{
    char said[640];
    say_misses_of_code(SL_PHASE_OTHER, 1501, said, sizeof said);
    assert_null(strstr(said, "begins"));
    say_misses_of_code(SL_PHASE_OTHER, 1500, said, sizeof said);
    assert_non_null(strstr(said, "code that misses in its L1I, 23 %, most of it when the run "
                                 "begins and ends: most lines are read for the first time"));
}

/* A larger cache helps only where a line was replaced. */
TEST_WITH(misses_have_the_advice_of_their_reason, setup, teardown)
{
    char said[640];
    int share = 0;
    statistics[SL_STAT_AGG_L1I_FROM_DRAM] = 100;
    statistics[SL_STAT_AGG_L1D_FROM_DRAM] = 100;
    put_stack(SL_STACK_FRONTEND_L1I_DRAM, SL_STACK_MEMORY_STORE);
    statistics[SL_STAT_AGG_L1I_RECALLS] = 5;
    (void)core_finding(said, sizeof said, &share);
    assert_non_null(strstr(said, "L1I, 20 %: most lines are read for the first time"));
    statistics[SL_STAT_AGG_L1I_EVICTIONS] = 60;
    (void)core_finding(said, sizeof said, &share);
    assert_non_null(strstr(said, "L1I, 20 %: a larger agg_l1i.size"));
    statistics[SL_STAT_AGG_L1I_RECALLS] = 60;
    (void)core_finding(said, sizeof said, &share);
    assert_non_null(strstr(said, "L1I, 20 %: the L2 replaces"));
    put_stack(SL_STACK_MEMORY_LOAD_DRAM, SL_STACK_MEMORY_STORE);
    statistics[SL_STAT_AGG_L1D_EVICTIONS] = 90;
    (void)core_finding(said, sizeof said, &share);
    assert_non_null(
        strstr(said, "loads that DRAM serves, 20 %: most lines are read for the first"));
    statistics[SL_STAT_AGG_L1D_RECALLS] = 30;
    (void)core_finding(said, sizeof said, &share);
    assert_non_null(strstr(said, "loads that DRAM serves, 20 %: the L2 replaces"));
}

TEST_WITH(each_class_but_retiring_has_its_advice, setup, teardown)
{
    char said[640];
    int share = 0;
    for (unsigned i = SL_STACK_RETIRING + 1; i < SL_STACK_CLASSES; i++) {
        put_stack((enum sl_stack_class)i, SL_STACK_RETIRING);
        memset(report.shared->stack.blocked[SL_PHASE_POLL], 0,
               sizeof report.shared->stack.blocked[SL_PHASE_POLL]);
        report.shared->stack.blocked[SL_PHASE_POLL][i] = 1000;
        (void)core_finding(said, sizeof said, &share);
        assert_non_null(strstr(said, ", 100 %: "));
        assert_null(strstr(said, "(null)"));
        assert_string_equal(said + strlen(said) - 1, ".");
        assert_int_equal(share, 40);
    }
}

/* Blocked for less than a quarter of the time; or nothing but retiring. */
TEST_WITH(a_core_that_matters_little_is_not_mentioned, setup, teardown)
{
    char said[640];
    int share = 0;
    put_stack(SL_STACK_MEMORY_DEVICE, SL_STACK_MEMORY_LOAD_L2);
    put_real(SL_STAT_GPU_BLOCKED_ON_AGG_PCT, 24.9);
    assert_int_equal(core_finding(said, sizeof said, &share), 1);
    put_real(SL_STAT_GPU_BLOCKED_ON_AGG_PCT, 25);
    assert_int_equal(core_finding(said, sizeof said, &share), 2);
    memset(report.shared->stack.blocked[SL_PHASE_POLL], 0,
           sizeof report.shared->stack.blocked[SL_PHASE_POLL]);
    assert_int_equal(core_finding(said, sizeof said, &share), 1);
    report.shared->stack.blocked[SL_PHASE_POLL][SL_STACK_RETIRING] = 1;
    assert_int_equal(core_finding(said, sizeof said, &share), 1);
}

/* ---- what another core would gain ---- */

/* What the change that is named so gains, in % of the time; -1 where it is not offered. `set` is
 * its first setting. */
static double gain_of(const char *words, char *set, size_t bytes)
{
    json_t *const data = json_object();
    double gain = -1;
    size_t i;
    const json_t *one;
    memcpy(report.results.statistics, statistics, sizeof statistics);
    assert_int_equal(sl_report_put_gains(data, &report, &config), 0);
    json_array_foreach(json_object_get(data, "gains"), i, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "change")), words) == 0) {
            gain = json_real_value(json_object_get(one, "gain_pct"));
            (void)snprintf(set, bytes, "%s",
                           json_string_value(json_array_get(json_object_get(one, "set"), 0)));
        }
    }
    json_decref(data);
    return gain;
}

static void gains(const char *words, double pct, const char *setting)
{
    char set[128] = "";
    const double gain = gain_of(words, set, sizeof set);
    assert_true(gain > pct - 1e-9 && gain < pct + 1e-9);
    assert_string_equal(set, setting);
}

/* Of 1000 cycles. */
static uint64_t *put_blocked_stack(void)
{
    put_good_run();
    statistics[SL_STAT_AGG_CYCLES] = 1000;
    memset(report.shared->stack.blocked[SL_PHASE_POLL], 0,
           sizeof report.shared->stack.blocked[SL_PHASE_POLL]);
    return report.shared->stack.blocked[SL_PHASE_POLL];
}

/* Half of 100 + 20 + 10 + 30 cycles, and of the 2 ns of 50 that an access to DRAM is in the L1: 8
 * of 200; what devices and a full window take stays. Of stores with a miss in 9, which takes 18 ns
 * more, the half of 100 cycles is in the L1. */
TEST_WITH(a_clock_halves_what_is_counted_in_cycles, setup, teardown)
{
    uint64_t *const stack = put_blocked_stack();
    stack[SL_STACK_RETIRING] = 100;
    stack[SL_STACK_BAD_SPECULATION] = 20;
    stack[SL_STACK_MEMORY_LOAD_L1] = 10;
    stack[SL_STACK_CORE_EXECUTE] = 30;
    stack[SL_STACK_MEMORY_LOAD_DRAM] = 200;
    stack[SL_STACK_MEMORY_DEVICE] = 50;
    stack[SL_STACK_CORE_ROB] = 40;
    gains("Twice the clock", 8.4, "agg.clock=4GHz");
    stack[SL_STACK_MEMORY_STORE] = 100;
    statistics[SL_STAT_AGG_L1D_ACCESSES] = 9;
    statistics[SL_STAT_AGG_L1D_MISSES] = 1;
    statistics[SL_STAT_AGG_L1D_FROM_L2] = 1;
    gains("Twice the clock", 10.9, "agg.clock=4GHz");
}

/* Of 8 misses that the L2 served, 6 were of lines replaced. */
TEST_WITH(a_larger_cache_has_what_was_replaced, setup, teardown)
{
    put_blocked_stack()[SL_STACK_MEMORY_LOAD_L2] = 100;
    statistics[SL_STAT_AGG_L1D_FROM_L2] = 8;
    statistics[SL_STAT_AGG_L1D_MISS_CAPACITY] = 6;
    gains("An L1D that replaces no line", 7.5, "agg_l1d.size=128KiB");
    statistics[SL_STAT_AGG_L1D_MISS_CAPACITY] = 16; /* some came from DRAM */
    gains("An L1D that replaces no line", 10, "agg_l1d.size=128KiB");
    config.number[SL_CFG_AGG_L1D_SIZE] = sl_config_table[SL_CFG_AGG_L1D_SIZE].most;
    assert_true(gain_of("An L1D that replaces no line", NULL, 0) < 0);
}

/* At 1.8 instructions in a retiring cycle, 0.8 of these are full, and half of them can go; half of
 * what that is worth is left. In a core of width 1, all are full. */
TEST_WITH(a_wider_core_retires_more_at_once, setup, teardown)
{
    put_blocked_stack()[SL_STACK_RETIRING] = 500;
    statistics[SL_STAT_AGG_STACK_RETIRING] = 500;
    statistics[SL_STAT_AGG_INSTRUCTIONS] = 900;
    gains("A core of twice the width", 10, "core.width=4");
    config.number[SL_CFG_CORE_WIDTH] = 1;
    statistics[SL_STAT_AGG_INSTRUCTIONS] = 500;
    gains("A core of twice the width", 12.5, "core.width=2");
    config.number[SL_CFG_CORE_MODEL] = SL_CORE_MODEL_SIMPLE;
    assert_true(gain_of("A core of twice the width", NULL, 0) < 0);
}

/* 8 cycles of the 18 of the L2 with its two links, the 48 of DRAM behind it, and the 23 where
 * another cache answers. An atomic is like the misses of the run: 1 by L2, 1 by DRAM, 8 of 33. */
TEST_WITH(a_faster_l2_saves_a_part_of_each_pass, setup, teardown)
{
    uint64_t *const stack = put_blocked_stack();
    stack[SL_STACK_MEMORY_LOAD_L2] = 180;
    gains("An L2 with half the latency", 8, "l2.cycles=8");
    stack[SL_STACK_FRONTEND_L1I_DRAM] = 240;
    gains("An L2 with half the latency", 12, "l2.cycles=8");
    stack[SL_STACK_MEMORY_LOAD_OTHER_L1] = 230;
    gains("An L2 with half the latency", 20, "l2.cycles=8");
    statistics[SL_STAT_AGG_L1D_FROM_L2] = 1;
    statistics[SL_STAT_AGG_L1D_FROM_DRAM] = 1;
    stack[SL_STACK_MEMORY_ATOMIC] = 330;
    gains("An L2 with half the latency", 28, "l2.cycles=8");
    config.number[SL_CFG_MEM_SYSTEM] = SL_MEM_SYSTEM_FLAT;
    assert_true(gain_of("An L2 with half the latency", NULL, 0) < 0);
}

/* Over the whole run it is not; in a quarter of the bins it is. */
TEST_WITH(dram_may_be_busy_for_a_while, setup, teardown)
{
    put_good_run();
    for (uint32_t i = 0; i < BINS / 4; i++) {
        report.shared->series[SL_REPORT_DRAM_BUSY][i] = BIN_PS * 9ull / 10;
    }
    statistics[SL_STAT_DRAM_READS] = 75;
    statistics[SL_STAT_DRAM_WRITES] = 25;
    statistics[SL_STAT_DRAM_BYTES] = 6400000; /* in 400 us: 16 GB/s */
    json_t *const findings = find();
    assert_int_equal(json_array_size(findings), 1);
    is(findings, 0, "DRAM is busy", 25);
    assert_non_null(strstr(text(findings, 0, "text"), "16.0 GB/s of 20.0"));
    assert_non_null(strstr(text(findings, 0, "text"), "25 % is written"));
    json_decref(findings);
}

/* Two channels share its bandwidth, and its busy time is theirs together. */
TEST_WITH(busy_is_of_all_dram_channels, setup, teardown)
{
    put_good_run();
    config.number[SL_CFG_DRAM_CHANNELS] = 2;
    for (uint32_t i = 0; i < BINS; i++) {
        report.shared->series[SL_REPORT_DRAM_BUSY][i] = BIN_PS;
    }
    json_t *const findings = find();
    assert_int_equal(json_array_size(findings), 0);
    json_decref(findings);
}

/* ---- channels ---- */

static json_t *channels_of(json_t *data)
{
    assert_int_equal(sl_report_put_series(data, &report), 0);
    return json_object_get(data, "channels");
}

static int64_t number(const json_t *object, const char *key)
{
    const json_t *const value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static uint64_t *bins_of(uint32_t channel, enum sl_report_state state)
{
    return report.shared->series[SL_REPORT_CHANNEL + channel * SL_REPORT_STATES + state];
}

TEST_WITH(rows_are_what_is_not_empty, setup, teardown)
{
    report.shared->channels = 2;
    /* 3 elements in bin 10, none in bin 11: 1.5 in the two of them; a very few in bin 15. */
    bins_of(1, SL_REPORT_READY)[10] = 3ull * BIN_PS;
    bins_of(1, SL_REPORT_READY)[15] = 1;
    json_t *const data = json_object();
    const json_t *const channels = channels_of(data);
    assert_int_equal(number(channels, "bin_ps"), 2 * BIN_PS);
    assert_int_equal(number(channels, "bins"), BINS / 2);
    const json_t *const rows = json_object_get(channels, "rows");
    assert_int_equal(json_array_size(rows), 1);
    const json_t *const row = json_array_get(rows, 0);
    assert_int_equal(number(row, "channel"), 1);
    assert_string_equal(json_string_value(json_object_get(row, "state")), "ready");
    assert_int_equal(number(row, "first"), 5);
    const json_t *const values = json_object_get(row, "values");
    assert_int_equal(json_array_size(values), 3);
    assert_int_equal(json_integer_value(json_array_get(values, 0)), 15); /* tenths */
    assert_int_equal(json_integer_value(json_array_get(values, 1)), 0);
    assert_int_equal(json_integer_value(json_array_get(values, 2)), 1); /* not nothing */
    json_decref(data);
}

TEST_WITH(a_bin_that_is_not_over_is_as_long_as_it_is, setup, teardown)
{
    report.shared->channels = 1;
    report.shared->end_ps = 3 * BIN_PS + BIN_PS / 4;
    bins_of(0, SL_REPORT_READY)[3] = 7ull * BIN_PS / 4;
    json_t *const data = json_object();
    const json_t *const channels = channels_of(data);
    assert_int_equal(number(channels, "bins"), 4);
    const json_t *const row = json_array_get(json_object_get(channels, "rows"), 0);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(row, "values"), 0)), 70);
    json_decref(data);
}

/* The most channels of a graph, all of them full of everything. */
TEST_WITH(many_channels_have_fewer_bins, setup, teardown)
{
    report.shared->channels = SL_GRAPH_CHANNELS;
    for (uint32_t channel = 0; channel < SL_GRAPH_CHANNELS; channel++) {
        for (unsigned i = 0; i < SL_REPORT_STATES; i++) {
            for (uint32_t bin = 0; bin < BINS; bin++) {
                bins_of(channel, i)[bin] = 1000ull * BIN_PS;
            }
        }
    }
    json_t *const data = json_object();
    const json_t *const channels = channels_of(data);
    assert_int_equal(json_array_size(json_object_get(channels, "rows")),
                     SL_GRAPH_CHANNELS * SL_REPORT_STATES);
    size_t values = 0;
    size_t index;
    json_t *row;
    json_array_foreach(json_object_get(channels, "rows"), index, row)
    {
        values += json_array_size(json_object_get(row, "values"));
    }
    assert_in_range(values, 24000, 48000);
    assert_true(number(channels, "bins") * number(channels, "bin_ps") >= (int64_t)BINS * BIN_PS);
    char *const written = json_dumps(data, JSON_COMPACT);
    assert_non_null(written);
    assert_true(strlen(written) < 1000000);
    free(written);
    json_decref(data);
}

/* ---- runs ---- */

static const char *channel_text;

static void name_kernel(const void *owner, uint64_t kernel, char *out, size_t bytes)
{
    (void)owner;
    (void)snprintf(out, bytes, "%s", kernel < 100 ? "small" : "large");
}

static void name_channel(const void *owner, uint64_t channel, char *out, size_t bytes)
{
    (void)owner;
    (void)snprintf(out, bytes, "%s %u", channel_text, (unsigned)channel);
}

static void take(uint64_t kernel, const char *channels)
{
    static const struct sl_served served;
    const struct sl_trace_names names = {"graph", NULL, name_kernel, name_channel};
    channel_text = channels;
    report.shared->kernel_count = 1;
    report.shared->kernels[0] = (struct sl_report_kernel){kernel, 1, 2, 3, 4, 5, 6, 7};
    report.shared->run_channels = 2;
    assert_int_equal(sl_report_take(&report, statistics, &served, &names), 0);
}

/* Kernels are one where they have one name, wherever they are. */
TEST_WITH(runs_add_up, setup, teardown)
{
    statistics[SL_STAT_GPU_CYCLES] = 10;
    take(8, "a");
    take(16, "a");
    take(800, "a");
    assert_int_equal(report.runs, 3);
    assert_int_equal(report.results.statistics[SL_STAT_GPU_CYCLES], 30);
    assert_int_equal(report.kernel_count, 2);
    assert_string_equal(report.kernels[0].name, "small");
    assert_int_equal(report.kernels[0].sum.wavefronts, 2);
    assert_int_equal(report.kernels[0].sum.resident_ps, 10);
    assert_int_equal(report.kernels[0].sum.restarts, 14);
    assert_int_equal(report.kernels[1].sum.wavefronts, 1);
    assert_string_equal(report.channels[1], "a 1");
    take(800, "b");
    assert_string_equal(report.channels[1], "channel 1");
}

TEST_WITH(more_runs_than_are_named_are_counted, setup, teardown)
{
    for (unsigned i = 0; i < SL_REPORT_RUNS + 3; i++) {
        take(8, "a");
    }
    assert_int_equal(report.runs, SL_REPORT_RUNS + 3);
    assert_string_equal(report.run[SL_REPORT_RUNS - 1].name, "graph");
}
