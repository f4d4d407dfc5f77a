/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Counting synchronization, and where data accesses are served (hal/contract/served.def), and
 * telling who observes. */
#ifndef SLUICE_MEM_PARTS_MEM_RECORD_H
#define SLUICE_MEM_PARTS_MEM_RECORD_H

#include "engine/clock.h"
#include "events/events.h"
#include "mem/mem.h"

_Static_assert((int)MEM_LOAD == SL_SERVED_KIND_LOADS && (int)MEM_STORE == SL_SERVED_KIND_STORES &&
                   (int)MEM_ATOMIC == SL_SERVED_KIND_ATOMICS,
               "kinds of data accesses have one order");

/* Bins of sluice/served.h. */
static inline uint32_t note_latency_bin(const struct sim_clock *clock, uint64_t latency_ps)
{
    const uint64_t cycles = sim_clock_before(clock, latency_ps);
    const uint32_t bin = cycles == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(cycles);

    return bin < SL_LATENCY_BINS ? bin : SL_LATENCY_BINS - 1;
}

/* Tells who observes where an access was served. */
void note_tell(const struct stream *stream, const struct mem_request *request,
               enum hit_level where);

/* The one place that every data access of a compute unit or the aggregator passes with all that is
 * known of it: who made it, what it is and where, where it was served, and when it is done. The
 * clock is that of the compute units. */
static inline void mem_record(struct sl_served *served, const struct stream *stream,
                              const struct sim_clock *clock, struct mem_request *request,
                              enum hit_level where, uint64_t done_ps)
{
    const bool is_agg = request->from.kind == MEM_AGG;
    const enum sl_served_side side = is_agg ? SL_SERVED_AGG : SL_SERVED_CUS;
    const uint32_t row = is_agg ? SL_SERVED_AGGREGATOR : request->from.index;

    request->hit_level = (uint8_t)(1 + where);
    served->by_requester[row][mem_kind_counted(request->kind)][where]++;
    if (request->kind == MEM_LOAD) {
        served->load_latency[side][note_latency_bin(clock, done_ps - request->time_ps)]++;
    }
    if (probe_enabled(stream, OBS_SERVED)) {
        note_tell(stream, request, where);
    }
}

/* A compute unit synchronizes. */
static inline void note_sync(struct sync_counters *counters, const struct mem_request *request)
{
    counters->acquires[request->scope] += request->acquire;
    counters->releases[request->scope] += request->release;
}

#endif
