/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Bins of a report: integrals and counts, worked out by hand, before and after bins are merged. A
 * bin is L = SL_REPORT_FIRST_PS long at first. */
#include <stdlib.h>

#include "common/check.h"
#include "observers/time_bins.h"

#define L      ((uint64_t)SL_REPORT_FIRST_PS)
#define CUS    2
#define SERIES SL_REPORT_L1D_ACCESSES

static int setup(void **state)
{
    struct sl_report *report = calloc(1, sizeof *report);
    assert_non_null(report);
    bins_init(report, CUS);
    *state = report;
    return 0;
}

static int teardown(void **state)
{
    free(*state);
    return 0;
}

static uint64_t sum(const struct sl_report *report, uint32_t series)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < SL_REPORT_BINS; i++) {
        sum += report->series[series][i];
    }
    return sum;
}

TEST_WITH(values_are_integrated, setup, teardown)
{
    struct sl_report *report = *state;
    const uint64_t *bins = report->series[SERIES];
    /* 3 from the middle of bin 1 to a quarter of bin 4, then 5 in the rest of bin 4. */
    bins_hold(report, SERIES, 3, L + L / 2, 4 * L + L / 4);
    bins_hold(report, SERIES, 5, 4 * L + L / 4, 5 * L);
    assert_int_equal(bins[0], 0);
    assert_int_equal(bins[1], 3 * L / 2);
    assert_int_equal(bins[2], 3 * L);
    assert_int_equal(bins[3], 3 * L);
    assert_int_equal(bins[4], 3 * L / 4 + 5 * 3 * L / 4);
    assert_int_equal(bins[5], 0);
}

TEST_WITH(no_time_is_nothing, setup, teardown)
{
    struct sl_report *report = *state;
    bins_hold(report, SERIES, 7, 2 * L, 2 * L);
    bins_hold(report, SERIES, 7, 2 * L, L);
    bins_spread(report, SERIES, 0, 0, 9 * L);
    assert_int_equal(sum(report, SERIES), 0);
}

TEST_WITH(counts_are_spread_in_whole_numbers, setup, teardown)
{
    struct sl_report *report = *state;
    const uint64_t *bins = report->series[SERIES];
    /* 10 over 3 L, from the middle of bin 0: 1.67, 5, 8.33 and 10 of them are over at the bins'
     * ends. */
    bins_spread(report, SERIES, 10, L / 2, 3 * L + L / 2);
    assert_int_equal(bins[0], 1);
    assert_int_equal(bins[1], 4);
    assert_int_equal(bins[2], 3);
    assert_int_equal(bins[3], 2);
    /* At one time. */
    bins_spread(report, SERIES, 4, 7 * L, 7 * L);
    assert_int_equal(bins[7], 4);
    assert_int_equal(sum(report, SERIES), 14);
}

TEST_WITH(large_counts_are_exact, setup, teardown)
{
    struct sl_report *report = *state;
    const uint64_t amount = UINT64_MAX / 2;
    bins_spread(report, SERIES, amount, 0, 7 * L);
    assert_int_equal(sum(report, SERIES), amount);
    /* A seventh, rounded down. */
    assert_int_equal(report->series[SERIES][0], amount / 7);
}

TEST_WITH(bins_are_merged_when_time_outgrows_them, setup, teardown)
{
    struct sl_report *report = *state;
    const uint64_t *bins = report->series[SERIES];
    const uint64_t end = SL_REPORT_BINS * L;
    bins_spread(report, SERIES, 5, 0, L);
    bins_spread(report, SERIES, 6, L, 2 * L);
    bins_spread(report, SERIES, 7, 2 * L, 3 * L);
    bins_spread(report, SERIES, 9, end - L, end);
    assert_int_equal(report->bin_ps, L);
    /* One ps more. */
    bins_hold(report, SERIES, 1, end, end + 1);
    assert_int_equal(report->bin_ps, 2 * L);
    assert_int_equal(bins[0], 11);
    assert_int_equal(bins[1], 7);
    assert_int_equal(bins[SL_REPORT_BINS / 2 - 1], 9);
    assert_int_equal(bins[SL_REPORT_BINS / 2], 1);
    assert_int_equal(sum(report, SERIES), 28);
}

TEST_WITH(several_doublings_at_once, setup, teardown)
{
    struct sl_report *report = *state;
    const uint64_t end = 100 * SL_REPORT_BINS * L;
    bins_hold(report, SERIES, 2, 0, end);
    /* 128 is the least power of two above 100. */
    assert_int_equal(report->bin_ps, 128 * L);
    assert_int_equal(sum(report, SERIES), 2 * end);
    for (uint32_t i = 0; i < SL_REPORT_BINS; i++) {
        assert_int_equal(report->series[SERIES][i], i < 400 ? 2 * 128 * L : 0);
    }
}

/* All series that the machine and its graphs have, and no others. */
TEST_WITH(all_series_are_merged, setup, teardown)
{
    struct sl_report *report = *state;
    const uint32_t of_cu = SL_REPORT_RESIDENT + CUS - 1;
    const uint32_t of_channel = SL_REPORT_CHANNEL + 3 * SL_REPORT_STATES - 1;
    report->channels = 3;
    report->series[SL_REPORT_PHASE][3] = 1;
    report->series[of_cu][3] = 2;
    report->series[of_channel][3] = 3;
    bins_reach(report, SL_REPORT_BINS * L + 1);
    assert_int_equal(report->series[SL_REPORT_PHASE][1], 1);
    assert_int_equal(report->series[of_cu][1], 2);
    assert_int_equal(report->series[of_channel][1], 3);
    assert_int_equal(report->series[of_channel][3], 0);
}

TEST_WITH(what_is_behind_the_end_is_in_the_last_bin, setup, teardown)
{
    struct sl_report *report = *state;
    bins_spread(report, SERIES, 30, 0, 3 * L);
    bins_end(report, SERIES, L);
    assert_int_equal(report->series[SERIES][0], 30);
    assert_int_equal(sum(report, SERIES), 30);
}
