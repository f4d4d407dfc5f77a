/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Statistics of several runs together: what adds up, what is a maximum, what a weighted mean. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "common/check.h"
#include "host/observe/statistics/run_results.h"

static uint64_t word_of(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static double real_of(uint64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

struct run {
    uint64_t cycles;
    double active_pct;
    uint64_t wave_instructions;
    double utilization_pct;
    uint64_t agg_cycles;
    double agg_ipc;
    uint64_t resident_max;
    uint64_t stack_depth_max;
    double wall_s;
    double per_s;
};

static void add(uint64_t *sum, const struct run *run)
{
    uint64_t statistics[SL_STAT_COUNT] = {0};
    statistics[SL_STAT_GPU_CYCLES] = run->cycles;
    statistics[SL_STAT_GPU_ACTIVE_PCT] = word_of(run->active_pct);
    statistics[SL_STAT_SIMT_WAVE_INSTRUCTIONS] = run->wave_instructions;
    statistics[SL_STAT_GPU_SIMD_UTILIZATION_PCT] = word_of(run->utilization_pct);
    statistics[SL_STAT_AGG_CYCLES] = run->agg_cycles;
    statistics[SL_STAT_AGG_IPC] = word_of(run->agg_ipc);
    statistics[SL_STAT_GPU_RESIDENT_MAX] = run->resident_max;
    statistics[SL_STAT_SIMT_STACK_DEPTH_MAX] = run->stack_depth_max;
    statistics[SL_STAT_SIM_WALL_S] = word_of(run->wall_s);
    statistics[SL_STAT_SIM_WAVE_INSTRUCTIONS_PER_S] = word_of(run->per_s);
    sl_statistics_add(sum, statistics);
}

/* Figures that binary fractions hold, so that they are exact. */
static const struct run first = {100, 50, 1000, 100, 400, 0.5, 7, 2, 0.25, 4000};
static const struct run second = {300, 90, 3000, 60, 400, 0.25, 5, 4, 0.75, 4000};

TEST(one_run)
{
    uint64_t sum[SL_STAT_COUNT] = {0};
    add(sum, &first);
    assert_int_equal(sum[SL_STAT_GPU_CYCLES], 100);
    assert_true(real_of(sum[SL_STAT_GPU_ACTIVE_PCT]) == 50);
    assert_true(real_of(sum[SL_STAT_GPU_SIMD_UTILIZATION_PCT]) == 100);
    assert_true(real_of(sum[SL_STAT_AGG_IPC]) == 0.5);
    assert_true(real_of(sum[SL_STAT_SIM_WALL_S]) == 0.25);
    assert_true(real_of(sum[SL_STAT_SIM_WAVE_INSTRUCTIONS_PER_S]) == 4000);
}

TEST(two_runs)
{
    uint64_t sum[SL_STAT_COUNT] = {0};
    add(sum, &first);
    add(sum, &second);
    assert_int_equal(sum[SL_STAT_GPU_CYCLES], 400);
    assert_int_equal(sum[SL_STAT_SIMT_WAVE_INSTRUCTIONS], 4000);
    assert_int_equal(sum[SL_STAT_GPU_RESIDENT_MAX], 7);
    assert_int_equal(sum[SL_STAT_SIMT_STACK_DEPTH_MAX], 4);
    /* (50 x 100 + 90 x 300) / 400, (100 x 1000 + 60 x 3000) / 4000, (200 + 100) / 800 */
    assert_true(real_of(sum[SL_STAT_GPU_ACTIVE_PCT]) == 80);
    assert_true(real_of(sum[SL_STAT_GPU_SIMD_UTILIZATION_PCT]) == 70);
    assert_true(real_of(sum[SL_STAT_AGG_IPC]) == 0.375);
    assert_true(real_of(sum[SL_STAT_SIM_WALL_S]) == 1);
    assert_true(real_of(sum[SL_STAT_SIM_WAVE_INSTRUCTIONS_PER_S]) == 4000);
}

/* Percentiles are weighted by elements, as means are: (10 x 1 + 2 x 3) / 4. So they stay below the
 * longest one, which is that of either run, whichever comes first. */
TEST(latencies)
{
    uint64_t runs[2][SL_STAT_COUNT] = {{0}};
    static const double longest[2] = {12, 5};
    static const double typical[2] = {10, 2};
    for (int run = 0; run < 2; run++) {
        runs[run][SL_STAT_LATENCY_ELEMENTS] = run == 0 ? 1 : 3;
        runs[run][SL_STAT_LATENCY_MEAN_NS] = word_of(typical[run]);
        runs[run][SL_STAT_LATENCY_P50_NS] = word_of(typical[run]);
        runs[run][SL_STAT_LATENCY_P99_NS] = word_of(typical[run]);
        runs[run][SL_STAT_LATENCY_MAX_NS] = word_of(longest[run]);
    }
    for (int first_run = 0; first_run < 2; first_run++) {
        uint64_t sum[SL_STAT_COUNT] = {0};
        sl_statistics_add(sum, runs[first_run]);
        sl_statistics_add(sum, runs[!first_run]);
        assert_int_equal(sum[SL_STAT_LATENCY_ELEMENTS], 4);
        assert_true(real_of(sum[SL_STAT_LATENCY_MEAN_NS]) == 4);
        assert_true(real_of(sum[SL_STAT_LATENCY_P50_NS]) == 4);
        assert_true(real_of(sum[SL_STAT_LATENCY_P99_NS]) == 4);
        assert_true(real_of(sum[SL_STAT_LATENCY_MAX_NS]) == 12);
    }
}

/* A launch that was refused has no time at all. */
TEST(no_time)
{
    const struct run nothing = {0};
    uint64_t sum[SL_STAT_COUNT] = {0};
    add(sum, &nothing);
    assert_true(real_of(sum[SL_STAT_GPU_ACTIVE_PCT]) == 0);
    assert_true(real_of(sum[SL_STAT_AGG_IPC]) == 0);
}

/* Every maximum of the table is known as one: its name says so, and so are what memory is held, and
 * bounds. */
TEST(maxima)
{
    for (int id = 0; id < SL_STAT_COUNT; id++) {
        const char *const name = sl_statistic_table[id].name;
        uint64_t sum[SL_STAT_COUNT] = {0};
        uint64_t run[SL_STAT_COUNT] = {0};
        if (sl_statistic_table[id].kind == SL_STAT_KIND_REAL) {
            continue;
        }
        run[id] = 3;
        sl_statistics_add(sum, run);
        sl_statistics_add(sum, run);
        const size_t length = strlen(name);
        const bool is_maximum = (length > 4 && strcmp(name + length - 4, "_max") == 0) ||
                                strncmp(name, "memory.", 7) == 0 ||
                                strcmp(name, "trees.bytes") == 0 ||
                                strncmp(name, "throttle.bound_", 15) == 0;
        assert_int_equal(sum[id], is_maximum ? 3 : 6);
    }
}

/* One rule leads from the name in JSON to the one in C. */
TEST(identifiers)
{
    static const char *const ids[SL_STAT_COUNT] = {
#define SL_STATISTIC(ID, name, kind, unit, together, text) #ID,
#include "contract/statistics.def"
#undef SL_STATISTIC
    };
    for (int i = 0; i < SL_STAT_COUNT; i++) {
        char expected[128] = "";
        const char *const name = sl_statistic_table[i].name;
        for (size_t at = 0; name[at] != '\0' && at + 1 < sizeof expected; at++) {
            expected[at] = name[at] == '.' ? '_' : (char)toupper((unsigned char)name[at]);
        }
        assert_string_equal(ids[i], expected);
    }
}
