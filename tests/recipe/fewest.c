/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Policy fewest: full wavefronts from the channel of which the fewest elements have gone so far, a
 * packet at a time, so that none is neglected. When nothing is in flight, a partial one. */
#include "graph/all_channels.h"
#include "graph/graph_loop.h"
#include "graph/guard.h"

struct fewest {
    uint64_t gone[SL_GRAPH_CHANNELS]; /* elements, by channel */
};

static void begin(struct run *run, const struct sl_graph *graph)
{
    struct fewest *const fewest = run->state;
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        fewest->gone[i] = 0;
    }
}

static uint32_t choose(struct run *run, struct choice *choice, uint32_t space)
{
    const struct fewest *const fewest = run->state;
    const uint32_t least = run->is_drained ? 1 : run->lanes; /* ready elements to be worth it */
    uint32_t best = run->channel_count;

    (void)space; /* there is room for one packet, or this would not be called */
    for (uint32_t i = 0; i < run->channel_count; i++) {
        if (guard_ready(run, &run->channels[i]) >= least &&
            (best == run->channel_count || fewest->gone[i] < fewest->gone[best])) {
            best = i;
        }
    }
    if (best == run->channel_count) {
        return 0;
    }
    const uint32_t ready = guard_ready(run, &run->channels[best]);
    const uint32_t full = ready & ~(run->lanes - 1);
    *choice = (struct choice){.channel = best, .count = full > 0 ? full : ready};
    guard_chosen(&run->channels[best], choice->count);
    return 1;
}

static void dispatched(struct run *run, struct channel *channel, uint32_t count)
{
    struct fewest *const fewest = run->state;
    fewest->gone[channel - run->channels] += count;
}

SCHEDULER_DEFINE(fewest, struct fewest, .phase = SL_PHASE_SCHEDULE, .begin = begin,
                 .poll = all_channels_poll, .choose = choose, .dispatched = dispatched,
                 .retire = all_channels_retire)
