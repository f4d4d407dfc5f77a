/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Counting where data accesses are served. */
#include "mem/held/note.h"

#include "obs/stream/events.h"

/* Bins of sluice/served.h. */
static uint32_t latency_bin(const struct sim_clock *clock, uint64_t latency_ps)
{
    const uint64_t cycles = sim_clock_before(clock, latency_ps);
    const uint32_t bin = cycles == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(cycles);

    return bin < SL_LATENCY_BINS ? bin : SL_LATENCY_BINS - 1;
}

void note_access(struct mem_counters *counters, const struct stream *stream,
                 const struct sim_clock *clock, const struct mem_request *request,
                 enum mem_served where, uint64_t latency_ps)
{
    struct sl_served *served = &counters->served;
    const bool is_agg = request->from.kind == MEM_AGG;
    const uint32_t row = is_agg ? SL_SERVED_AGGREGATOR : request->from.index;

    if (!is_agg) {
        counters->l1[L1D].accesses++;
        counters->l1[L1D].served[where]++;
    }
    served->by_requester[row][mem_kind_counted(request->kind)][where]++;
    if (request->kind == MEM_LOAD) {
        served->load_latency[is_agg ? SL_SERVED_AGG : SL_SERVED_CUS]
                            [latency_bin(clock, latency_ps)]++;
    }
    if (stream_wants(stream, OBS_SERVED)) {
        const struct obs_event event = {
            .time_ps = request->time_ps,
            .kind = OBS_SERVED,
            .served = {request->from, request->address, (uint8_t)mem_kind_counted(request->kind),
                       (uint8_t)where},
        };
        stream_tell(stream, &event);
    }
}
