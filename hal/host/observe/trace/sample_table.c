/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Samples to rows. What several runs together would add (hal/contract/statistics.def) is a
 * difference: that of the figures at both ends of the interval. Of a mean it is that of the
 * interval alone, by its weights; a percentile is that of the run so far, as a maximum is. */
#define _GNU_SOURCE 1
#include "host/observe/trace/sample_table.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/nearest.h"
#include "host/base/run_statistics.h"
#include "sluice/sluice.h"

static const char *const gauges[] = {
#define SL_GAUGE(ID, name, unit, text) name,
#include "recordings/gauges.def"
#undef SL_GAUGE
};

static const char *column_name(unsigned column)
{
    return column < SL_STAT_COUNT ? sl_statistic_table[column].name
                                  : gauges[column - SL_STAT_COUNT];
}

/* ---- columns ---- */

/* The library finds these in memory when a run has ended. */
static bool is_of_end(unsigned column)
{
    const char *const name = column_name(column);

    return strncmp(name, "trees.", 6) == 0 || strncmp(name, "tasks.", 6) == 0 ||
           strcmp(name, "memory.channel_bytes") == 0 ||
           strncmp(name, "memory.help_first_", 18) == 0;
}

/* Figures of the simulator differ between equal runs: a pattern has them where it says so. */
static bool fits(const char *item, unsigned column)
{
    const char *const name = column_name(column);
    const bool is_asked = strncmp(name, "sim.", 4) != 0 || strncmp(item, "sim.", 4) == 0;

    return fnmatch(item, name, 0) == 0 && is_asked && !is_of_end(column);
}

static void add_column(struct sl_sample_text *text, unsigned column)
{
    for (unsigned i = 0; i < text->count; i++) {
        if (text->columns[i] == column) {
            return;
        }
    }
    text->columns[text->count++] = (uint16_t)column;
}

static int refuse(const char *item, char *error, size_t error_bytes)
{
    const char *names[SL_SAMPLE_COLUMNS];

    for (unsigned column = 0; column < SL_SAMPLE_COLUMNS; column++) {
        names[column] = column_name(column);
        if (is_of_end(column) && strcmp(item, names[column]) == 0) {
            (void)snprintf(error, error_bytes,
                           "sample.statistics: '%s' is known at the end of a run alone", item);
            return -1;
        }
    }
    const char *const nearest = sl_nearest(item, names, SL_SAMPLE_COLUMNS);
    (void)snprintf(error, error_bytes, "sample.statistics: no statistic has the name '%s'; %s%s%s",
                   item, nearest != NULL ? "did you mean '" : "docs/look-up/statistics.md has all",
                   nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    return -1;
}

int sl_sample_text_choose(struct sl_sample_text *text, const struct sl_config *config, char *error,
                          size_t error_bytes)
{
    char items[SL_CONFIG_TEXT_MAX];
    char *rest = items;

    (void)snprintf(items, sizeof items, "%s", config->text[SL_CFG_SAMPLE_STATISTICS]);
    text->count = 0;
    while (rest != NULL) {
        const char *const item = strsep(&rest, ",");
        bool is_any = false;
        for (unsigned column = 0; column < SL_SAMPLE_COLUMNS; column++) {
            if (fits(item, column)) {
                add_column(text, column);
                is_any = true;
            }
        }
        if (!is_any) {
            return refuse(item, error, error_bytes);
        }
    }
    return 0;
}

/* ---- rows ---- */

/* Whether the mean of a part follows from those of the whole and of the rest. */
static bool has_mean(enum sl_statistic id)
{
    return strstr(sl_statistic_table[id].name, ".p") == NULL;
}

/* Of a difference of two sums that much larger than it, rounding is all that is left. */
#define NOTHING 1e-12

/* Zero where nothing came up that it is the mean of. */
static double mean_between(const uint64_t *now, const uint64_t *before, enum sl_statistic id)
{
    const double weight = sl_statistics_real(now, sl_statistic_rules[id].weight) -
                          sl_statistics_real(before, sl_statistic_rules[id].weight);
    const double sum =
        sl_statistics_real(now, id) * sl_statistics_real(now, sl_statistic_rules[id].weight);
    const double came = sum - sl_statistics_real(before, id) *
                                  sl_statistics_real(before, sl_statistic_rules[id].weight);

    return weight == 0 || fabs(came) < NOTHING * fabs(sum) ? 0 : came / weight;
}

static double real_between(const uint64_t *now, const uint64_t *before, enum sl_statistic id)
{
    if (sl_statistic_rules[id].kind == SL_TOGETHER_SUM) {
        return sl_statistics_real(now, id) - sl_statistics_real(before, id);
    }
    return sl_statistic_rules[id].kind == SL_TOGETHER_MEAN && has_mean(id)
               ? mean_between(now, before, id)
               : sl_statistics_real(now, id);
}

static void put_column(struct sl_sample_text *text, const struct sl_sample *sample, unsigned column)
{
    if (column >= SL_STAT_COUNT) {
        sl_stream_print(&text->sink, ",%" PRIu64, sample->gauges[column - SL_STAT_COUNT]);
        return;
    }
    const enum sl_statistic id = (enum sl_statistic)column;
    if (sl_statistic_table[id].kind == SL_STAT_KIND_REAL) {
        sl_stream_print(&text->sink, ",%.6g", real_between(sample->statistics, text->before, id));
    } else {
        const uint64_t before =
            sl_statistic_rules[id].kind == SL_TOGETHER_SUM ? text->before[id] : 0;
        sl_stream_print(&text->sink, ",%" PRId64, (int64_t)(sample->statistics[id] - before));
    }
}

static void put_row(struct sl_sample_text *text, const struct sl_sample *sample)
{
    sl_stream_print(&text->sink, "%" PRIu64 ",%" PRIu64 ".%03u", text->run, sample->time_ps / 1000,
                    (unsigned)(sample->time_ps % 1000));
    for (unsigned i = 0; i < text->count; i++) {
        put_column(text, sample, text->columns[i]);
    }
    sl_stream_print(&text->sink, "\n");
}

bool sl_sample_text_take(void *owner, const uint64_t *record)
{
    struct sl_sample_text *const text = owner;
    const struct sl_sample *const sample = (const void *)record;

    if (sample->kind == SL_SAMPLE_BEGIN) {
        text->run++;
    } else {
        put_row(text, sample);
    }
    memcpy(text->before, sample->statistics, sizeof text->before);
    return sl_stream_failure(&text->sink) == 0;
}

bool sl_sample_text_rest(void *owner)
{
    return sl_stream_flush(&((struct sl_sample_text *)owner)->sink);
}

int sl_sample_text_open(struct sl_sample_text *text, const char *path)
{
    if (sl_stream_open(&text->sink, path) != 0) {
        return -1;
    }
    sl_stream_print(&text->sink, "run,time_ns");
    for (unsigned i = 0; i < text->count; i++) {
        sl_stream_print(&text->sink, ",%s", column_name(text->columns[i]));
    }
    sl_stream_print(&text->sink, "\n");
    return 0;
}

void sl_sample_text_close(struct sl_sample_text *text)
{
    sl_stream_close(&text->sink);
}
