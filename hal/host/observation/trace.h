/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Timelines of runs as a file in the Trace Event format, which Perfetto and chrome://tracing open:
 * a JSON object with the array traceEvents (Google, "Trace Event Format"). Runs follow each other,
 * and the file is complete after each. Timestamps are microseconds, with six digits behind the
 * point: picoseconds. */
#ifndef SLUICE_HOST_TRACE_H
#define SLUICE_HOST_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "observed/observation.h"

/* The tracks: processes, and threads in them. */
enum sl_trace_process {
    SL_TRACE_AGGREGATOR = 1, /* threads: */
    SL_TRACE_RUNS = 1,
    SL_TRACE_PHASES = 2,
    SL_TRACE_CHANNELS = 2, /* counters of that name */
    SL_TRACE_MEMORY = 3,
    SL_TRACE_CUS = 16, /* and up: one each; a thread for each wavefront context */
};

/* What the names in a run are. */
struct sl_trace_names {
    const char *run; /* what ran */
    const void *owner;
    void (*kernel)(const void *owner, uint64_t kernel, char *out, size_t bytes);
    void (*channel)(const void *owner, uint64_t channel, char *out, size_t bytes);
};

struct sl_trace {
    FILE *stream; /* NULL: not open */
    uint32_t cus;
    uint32_t contexts;
    bool *is_used; /* of cus x contexts: a wavefront holds the context */
    bool is_seekable;
    bool has_events;
    long end; /* of the events in the file */
    uint64_t runs;
    uint64_t offset_ps; /* where the next run begins */
    uint64_t records;   /* of all runs */
    uint64_t lost;      /* likewise */
    uint64_t first_lost_ps;
};

/* Creates the file, for a machine of so many compute units and contexts in each. Returns 0, or -1
 * with errno. */
int sl_trace_open(struct sl_trace *trace, const char *path, uint32_t cus, uint32_t contexts);

/* Appends a run. Returns 0, or -1 with errno. */
int sl_trace_append(struct sl_trace *trace, const struct sl_timeline *timeline,
                    const struct sl_trace_names *names);

/* Returns 0, or -1 with errno where something could not be written. A trace that is not open is
 * closed already. */
int sl_trace_close(struct sl_trace *trace);

#endif
