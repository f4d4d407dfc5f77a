/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Samples of the statistics as CSV (sample.file; docs/do/trace.md): a row for each interval of each
 * run, with what came up in it. */
#ifndef SLUICE_HOST_OBSERVE_TRACE_SAMPLE_TABLE_H
#define SLUICE_HOST_OBSERVE_TRACE_SAMPLE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/observe/trace/output_stream.h"
#include "recordings/samples.h"
#include "sluice/config.h"

#define SL_SAMPLE_COLUMNS ((unsigned)SL_STAT_COUNT + SL_GAUGE_COUNT)

struct sl_sample_text {
    struct sl_stream sink;
    uint64_t run; /* from 1 */
    unsigned count;
    uint16_t columns[SL_SAMPLE_COLUMNS]; /* enum sl_statistic, or SL_STAT_COUNT + enum sl_gauge */
    uint64_t before[SL_STAT_COUNT];      /* the statistics of the sample before */
};

/* Finds the columns that sample.statistics names. Returns 0, or -1 with a message. */
int sl_sample_text_choose(struct sl_sample_text *text, const struct sl_config *config, char *error,
                          size_t error_bytes);

/* Creates the file. Returns 0, or -1 with errno. */
int sl_sample_text_open(struct sl_sample_text *text, const char *path);
void sl_sample_text_close(struct sl_sample_text *text);

/* For struct sl_ring_reader_user. */
bool sl_sample_text_take(void *text, const uint64_t *record);
bool sl_sample_text_rest(void *text);

#endif
