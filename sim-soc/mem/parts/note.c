/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Counting where data accesses are served. */
#include "mem/parts/note.h"

#include "obs/stream/events.h"

_Static_assert((int)MEM_LOAD == SL_SERVED_KIND_LOADS && (int)MEM_STORE == SL_SERVED_KIND_STORES &&
                   (int)MEM_ATOMIC == SL_SERVED_KIND_ATOMICS,
               "kinds of data accesses have one order");

/* Bins of sluice/served.h. */
static uint32_t latency_bin(const struct sim_clock *clock, uint64_t latency_ps)
{
    const uint64_t cycles = sim_clock_before(clock, latency_ps);
    const uint32_t bin = cycles == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(cycles);

    return bin < SL_LATENCY_BINS ? bin : SL_LATENCY_BINS - 1;
}

void note_access(struct sl_served *served, const struct stream *stream,
                 const struct sim_clock *clock, const struct mem_request *request,
                 enum mem_served where, uint64_t done_ps)
{
    const bool is_agg = request->from.kind == MEM_AGG;
    const enum sl_served_side side = is_agg ? SL_SERVED_AGG : SL_SERVED_CUS;
    const uint32_t row = is_agg ? SL_SERVED_AGGREGATOR : request->from.index;

    served->by_requester[row][request->kind][where]++;
    if (request->kind == MEM_LOAD) {
        served->load_latency[side][latency_bin(clock, done_ps - request->time_ps)]++;
    }
    if (stream_wants(stream, OBS_SERVED)) {
        const struct obs_event event = {
            .time_ps = request->time_ps,
            .kind = OBS_SERVED,
            .served = {request->from, request->address, request->kind, (uint8_t)where},
        };
        stream_tell(stream, &event);
    }
}
