/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Timelines of runs as a file in the Trace Event format, which Perfetto opens: a JSON object with
 * the array traceEvents (Google, "Trace Event Format"). Runs follow each other; the file gets its
 * name when it is published or closed, and is complete then. Timestamps are microseconds, with six
 * digits behind the point: picoseconds. */
#ifndef SLUICE_HOST_OBSERVE_TRACE_TIMELINE_H
#define SLUICE_HOST_OBSERVE_TRACE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "host/base/atomic_file.h"
#include "recordings/observation.h"

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

/* Of an enum sl_phase. */
const char *sl_trace_phase_name(uint64_t phase);

/* Not to be moved while it is open. */
struct sl_trace {
    struct sl_output output;
    bool is_open;
    int reason; /* why the file is not whole, or has not its name, and nothing is appended any more;
                 * or 0 */
    uint32_t cus;
    uint32_t contexts;
    bool *is_used; /* of cus x contexts: a wavefront holds the context */
    bool is_whole; /* what there is has its end already: a file, not a FIFO */
    bool has_events;
    long end; /* of the events in the file */
    uint64_t runs;
    uint64_t offset_ps; /* where the next run begins */
    uint64_t records;   /* of all runs */
    uint64_t lost;      /* likewise */
    uint64_t first_lost_ps;
};

/* Begins the file, for a machine of so many compute units and contexts in each. Returns 0, or -1
 * with errno. */
int sl_trace_open(struct sl_trace *trace, const char *path, uint32_t cus, uint32_t contexts);

/* Appends a run. Returns 0, or -1 with errno. */
int sl_trace_append(struct sl_trace *trace, const struct sl_timeline *timeline,
                    const struct sl_trace_names *names);

/* Has the file take its name, with all runs so far; without any, what is there stays. What is
 * appended later goes to a copy of it. Of what cannot be gone back in, a FIFO for one, it is
 * written up to here. Returns 0, or -1 with errno where something could not be written. */
int sl_trace_publish(struct sl_trace *trace);

/* Likewise, for the last time. Returns 0, or -1 with errno where something could not be written. A
 * trace that is not open is closed already. */
int sl_trace_close(struct sl_trace *trace);

#endif
