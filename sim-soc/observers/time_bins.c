/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Bins that double their length (time_bins.h). */
#include "observers/time_bins.h"

#include <string.h>

void bins_init(struct sl_report *report, uint64_t cus)
{
    if (report->bin_ps == 0) {
        report->bin_ps = SL_REPORT_FIRST_PS;
    }
    report->cus = cus;
}

static void merge(uint64_t *bins)
{
    for (uint32_t i = 0; i < SL_REPORT_BINS / 2; i++) {
        bins[i] = bins[2 * i] + bins[2 * i + 1];
    }
    memset(bins + SL_REPORT_BINS / 2, 0, SL_REPORT_BINS / 2 * sizeof(*bins));
}

/* Only series that the machine and its graphs have: the others' memory stays untouched. */
static void merge_all(struct sl_report *report)
{
    const uint64_t resident_end = SL_REPORT_RESIDENT + report->cus;
    const uint64_t channel_end = SL_REPORT_CHANNEL + report->channels * SL_REPORT_STATES;

    for (uint64_t i = 0; i < resident_end; i++) {
        merge(report->series[i]);
    }
    for (uint64_t i = SL_REPORT_CHANNEL; i < channel_end; i++) {
        merge(report->series[i]);
    }
    report->bin_ps *= 2;
}

void bins_reach(struct sl_report *report, uint64_t end_ps)
{
    while (end_ps > SL_REPORT_BINS * report->bin_ps) {
        merge_all(report);
    }
}

void bins_hold(struct sl_report *report, uint32_t series, uint64_t value, uint64_t from_ps,
               uint64_t to_ps)
{
    if (value == 0 || from_ps >= to_ps) {
        return;
    }
    bins_reach(report, to_ps);
    uint64_t *bins = report->series[series];
    uint64_t bin = from_ps / report->bin_ps;

    while (from_ps < to_ps) {
        const uint64_t end_ps = (bin + 1) * report->bin_ps;
        const uint64_t until_ps = end_ps < to_ps ? end_ps : to_ps;
        bins[bin++] += value * (until_ps - from_ps);
        from_ps = until_ps;
    }
}

/* The part of an amount that comes in the first `part` of `whole`. */
static uint64_t share(uint64_t amount, uint64_t part, uint64_t whole)
{
    return (uint64_t)((unsigned __int128)amount * part / whole);
}

void bins_spread(struct sl_report *report, uint32_t series, uint64_t amount, uint64_t from_ps,
                 uint64_t to_ps)
{
    if (amount == 0) {
        return;
    }
    const uint64_t last_ps = to_ps > from_ps ? to_ps : from_ps + 1;
    uint64_t given = 0;

    bins_reach(report, last_ps);
    for (uint64_t bin = from_ps / report->bin_ps; given < amount; bin++) {
        const uint64_t end_ps = (bin + 1) * report->bin_ps;
        const uint64_t until_ps = end_ps < last_ps ? end_ps : last_ps;
        const uint64_t sum = share(amount, until_ps - from_ps, last_ps - from_ps);
        report->series[series][bin] += sum - given;
        given = sum;
    }
}

void bins_end(struct sl_report *report, uint32_t series, uint64_t end_ps)
{
    uint64_t *bins = report->series[series];
    const uint64_t last = end_ps > 0 ? (end_ps - 1) / report->bin_ps : 0;

    for (uint64_t i = last + 1; i < SL_REPORT_BINS; i++) {
        bins[last] += bins[i];
        bins[i] = 0;
    }
}
