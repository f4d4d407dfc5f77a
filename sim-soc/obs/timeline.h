/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The timeline: what happened when, as records in a bounded block that the host reads after the
 * run.
 *
 * Phases and wavefronts are recorded as they come. Occupancy of channels and traffic of DRAM are
 * looked at where the firmware enters a phase, at most once in an interval, and recorded where they
 * have changed. What finds no room is counted. Nothing here changes what is simulated. */
#ifndef SLUICE_OBS_TIMELINE_H
#define SLUICE_OBS_TIMELINE_H

#include "config/config.h"
#include "mem/dram.h"
#include "obs/stream/mem_counters.h"
#include "sluice/codes.h"
#include "sluice/layouts.h"
#include "sluice/observation.h"

struct timeline {
    struct sl_timeline *shared;
    struct dram dram;
    const struct mem_counters *memory;
    uint64_t interval_ps;
    uint64_t next_sample_ps;
    uint64_t last_sample_ps;
    uint64_t dram_lines; /* moved up to then */
    bool dram_moved;     /* some of them since the sample before */
    uint64_t phase;      /* recorded last */
    uint64_t graph;      /* address of the struct sl_graph, or 0 */
    uint64_t channels;
    struct timeline_channel {
        uint64_t held;
        uint64_t ready;
    } last[SL_GRAPH_CHANNELS]; /* as recorded */
};

/* Makes a timeline over a shared block. NULL when out of memory. */
struct timeline *timeline_create(struct sl_timeline *shared, const struct sl_config *config,
                                 const struct dram *dram, const struct mem_counters *memory);
void timeline_destroy(struct timeline *timeline);

/* A run begins at time zero, in phase OTHER. */
void timeline_begin(struct timeline *timeline);

/* The run's graph; an address outside DRAM is none. */
void timeline_graph(struct timeline *timeline, uint64_t address);

/* Firmware enters a phase. */
void timeline_phase(struct timeline *timeline, uint64_t time_ps, uint64_t phase);

/* The run has ended. */
void timeline_end(struct timeline *timeline, uint64_t time_ps);

/* Something happened; `record` may lie in the future of what was recorded before. */
static inline void timeline_record(struct timeline *timeline, struct sl_trace_record record)
{
    struct sl_timeline *shared = timeline->shared;

    if (shared->count < shared->capacity) {
        shared->records[shared->count++] = record;
        return;
    }
    if (shared->lost++ == 0) {
        shared->first_lost_ps = record.time_ps;
    }
}

#endif
