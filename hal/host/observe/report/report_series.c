/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is over time in a report: an integer for each bin, the sum that the simulator has made
 * there. Channels can be so many that a file of all of them would be too large: theirs are means,
 * in tenths of an element, of several bins together where need be, and rows that are empty are left
 * out. */
#include "host/observe/report/report.h"

#include "host/base/utf8.h"
#include "sluice/codes.h"

/* Values that channels may have in all, and bins that they have at the most: what a heat map can
 * show. */
#define CHANNEL_VALUES 48000u
#define CHANNEL_BINS   (SL_REPORT_BINS / 2)
#define MEAN_SCALE     10u

static const struct row {
    const char *member;
    const char *name;
    uint32_t series;
} rows[] = {
    {"phases_ps", "poll", SL_REPORT_PHASE + SL_PHASE_POLL},
    {"phases_ps", "predicate", SL_REPORT_PHASE + SL_PHASE_PREDICATE},
    {"phases_ps", "schedule", SL_REPORT_PHASE + SL_PHASE_SCHEDULE},
    {"phases_ps", "dispatch", SL_REPORT_PHASE + SL_PHASE_DISPATCH},
    {"phases_ps", "retire", SL_REPORT_PHASE + SL_PHASE_RETIRE},
    {"phases_ps", "yield", SL_REPORT_PHASE + SL_PHASE_YIELD},
    {"phases_ps", "mailbox", SL_REPORT_PHASE + SL_PHASE_MAILBOX},
    {"phases_ps", "other", SL_REPORT_PHASE + SL_PHASE_OTHER},
    {"split_ps", "active", SL_REPORT_ACTIVE},
    {"split_ps", "stalled", SL_REPORT_STALLED},
    {"split_ps", "blocked", SL_REPORT_BLOCKED},
    {"caches", "l1d.accesses", SL_REPORT_L1D_ACCESSES},
    {"caches", "l1d.hits", SL_REPORT_L1D_HITS},
    {"caches", "agg_l1d.accesses", SL_REPORT_AGG_L1D_ACCESSES},
    {"caches", "agg_l1d.hits", SL_REPORT_AGG_L1D_HITS},
    {"caches", "l2.accesses", SL_REPORT_L2_ACCESSES},
    {"caches", "l2.hits", SL_REPORT_L2_HITS},
    {"dram", "reads", SL_REPORT_DRAM_READS},
    {"dram", "writes", SL_REPORT_DRAM_WRITES},
    {"dram", "busy_ps", SL_REPORT_DRAM_BUSY},
};

static const char *const states[SL_REPORT_STATES] = {
    [SL_REPORT_WAITING] = "waiting",
    [SL_REPORT_READY] = "ready",
    [SL_REPORT_DISPATCHED] = "dispatched",
    [SL_REPORT_FINISHED] = "finished",
};

uint32_t sl_report_bins(const struct sl_report *shared)
{
    return shared->bin_ps == 0 ? 0
                               : (uint32_t)((shared->end_ps + shared->bin_ps - 1) / shared->bin_ps);
}

/* The object under a name, made where there is none. */
static json_t *member(json_t *data, const char *name)
{
    json_t *object = json_object_get(data, name);
    if (object == NULL && json_object_set_new(data, name, json_object()) == 0) {
        object = json_object_get(data, name);
    }
    return object;
}

static json_t *sums(const struct sl_report *shared, uint32_t series)
{
    const uint32_t bins = sl_report_bins(shared);
    json_t *const array = json_array();
    int failed = 0;
    for (uint32_t i = 0; i < bins; i++) {
        failed |= json_array_append_new(array, json_integer((json_int_t)shared->series[series][i]));
    }
    if (failed != 0) {
        json_decref(array);
        return NULL;
    }
    return array;
}

static int put_resident(json_t *data, const struct sl_report *shared)
{
    json_t *const cus = json_array();
    int failed = json_object_set_new(data, "resident_ps", cus);
    for (uint32_t cu = 0; failed == 0 && cu < shared->cus; cu++) {
        failed = json_array_append_new(cus, sums(shared, SL_REPORT_RESIDENT + cu));
    }
    return failed;
}

/* ---- channels ---- */

/* How a row of a channel is made: bins together, and how many there are then. */
struct folding {
    uint32_t factor;
    uint32_t bins;
};

static uint32_t series_of(uint32_t channel, uint32_t state)
{
    return SL_REPORT_CHANNEL + channel * SL_REPORT_STATES + state;
}

static bool is_empty(const struct sl_report *shared, uint32_t series)
{
    for (uint32_t i = 0; i < SL_REPORT_BINS; i++) {
        if (shared->series[series][i] != 0) {
            return false;
        }
    }
    return true;
}

static struct folding fold(const struct sl_report *shared)
{
    const uint32_t end = SL_REPORT_CHANNEL + (uint32_t)shared->channels * SL_REPORT_STATES;
    const uint32_t bins = sl_report_bins(shared);
    struct folding folding = {1, bins};
    uint32_t full = 0;
    for (uint32_t series = SL_REPORT_CHANNEL; series < end; series++) {
        full += !is_empty(shared, series);
    }
    while (folding.bins > CHANNEL_BINS || folding.bins * full > CHANNEL_VALUES) {
        folding.factor *= 2;
        folding.bins = (bins + folding.factor - 1) / folding.factor;
    }
    return folding;
}

/* Something is never shown as nothing. */
static uint64_t mean(const struct sl_report *shared, uint32_t series, const struct folding *folding,
                     uint32_t bin)
{
    const uint64_t length_ps = shared->bin_ps * folding->factor;
    const uint64_t from_ps = bin * length_ps;
    const uint64_t rest_ps = shared->end_ps - from_ps;
    double sum = 0;
    for (uint32_t i = 0; i < folding->factor; i++) {
        const uint32_t at = bin * folding->factor + i;
        sum += at < SL_REPORT_BINS ? (double)shared->series[series][at] : 0;
    }
    const double value = MEAN_SCALE * sum / (double)(rest_ps < length_ps ? rest_ps : length_ps);
    return value > 0 && value < 1 ? 1 : (uint64_t)(value + 0.5);
}

/* Its values from the first one that is not 0 to the last. */
static json_t *channel_row(const struct sl_report *shared, uint32_t channel, uint32_t state,
                           const struct folding *folding)
{
    uint64_t values[SL_REPORT_BINS];
    uint32_t first = folding->bins;
    uint32_t end = 0;
    for (uint32_t i = 0; i < folding->bins; i++) {
        values[i] = mean(shared, series_of(channel, state), folding, i);
        if (values[i] != 0) {
            first = i < first ? i : first;
            end = i + 1;
        }
    }
    json_t *const array = json_array();
    int failed = 0;
    for (uint32_t i = first; i < end; i++) {
        failed |= json_array_append_new(array, json_integer((json_int_t)values[i]));
    }
    if (failed != 0) {
        json_decref(array);
        return NULL;
    }
    return json_pack("{s:i,s:s,s:i,s:o}", "channel", (int)channel, "state", states[state], "first",
                     (int)first, "values", array);
}

static int put_channels(json_t *data, const struct sl_run_report *report)
{
    const struct sl_report *const shared = report->shared;
    const struct folding folding = fold(shared);
    json_t *const names = json_array();
    json_t *const all = json_array();
    int failed = 0;
    for (uint32_t channel = 0; channel < shared->channels; channel++) {
        failed |= json_array_append_new(names, sl_json_text(report->channels[channel]));
        for (uint32_t state = 0; state < SL_REPORT_STATES; state++) {
            if (!is_empty(shared, series_of(channel, state))) {
                failed |= json_array_append_new(all, channel_row(shared, channel, state, &folding));
            }
        }
    }
    json_t *const channels =
        json_pack("{s:I,s:i,s:i,s:o,s:o}", "bin_ps", (json_int_t)(shared->bin_ps * folding.factor),
                  "bins", (int)folding.bins, "scale", (int)MEAN_SCALE, "names", names, "rows", all);
    return failed != 0 || json_object_set_new(data, "channels", channels) != 0 ? -1 : 0;
}

int sl_report_put_series(json_t *data, const struct sl_run_report *report)
{
    const struct sl_report *const shared = report->shared;
    int failed = json_object_set_new(
        data, "time",
        json_pack("{s:I,s:I,s:i}", "end_ps", (json_int_t)shared->end_ps, "bin_ps",
                  (json_int_t)shared->bin_ps, "bins", (int)sl_report_bins(shared)));
    for (size_t i = 0; failed == 0 && i < sizeof rows / sizeof rows[0]; i++) {
        failed = json_object_set_new(member(data, rows[i].member), rows[i].name,
                                     sums(shared, rows[i].series));
    }
    if (failed != 0 || put_resident(data, shared) != 0) {
        return -1;
    }
    return put_channels(data, report);
}
