/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The flat policy: channels in turn, each as its guards and its predicate say. When nothing is in
 * flight and no predicate lets anything go, one partial wavefront goes (papers/001 section 3). */
#include "core/all_channels.h"
#include "core/guard.h"
#include "core/passes.h"

/* Where the next choice begins: only matters when the rings are full. */
struct turn {
    uint32_t channel;
};

static void begin(struct run *run, const struct sl_graph *graph)
{
    struct turn *const turn = run->state;

    (void)graph;
    turn->channel = 0;
}

static uint32_t next(const struct run *run, uint32_t channel)
{
    return channel + 1 == run->channel_count ? 0 : channel + 1;
}

static uint32_t partial(const struct run *run, uint32_t from, struct choice *choice)
{
    uint32_t index = from;
    for (uint32_t i = 0; i < run->channel_count; i++, index = next(run, index)) {
        const uint32_t ready = guard_ready(run, &run->channels[index]);
        if (ready > 0) {
            const uint32_t count = ready < run->lanes ? ready : run->lanes;
            choice[0] = (struct choice){index, count};
            guard_chosen(&run->channels[index], count);
            return 1;
        }
    }
    return 0;
}

static uint32_t choose(struct run *run, struct choice *choice, uint32_t space)
{
    struct turn *const turn = run->state;
    uint32_t chosen = 0;
    uint32_t index = turn->channel;

    for (uint32_t i = 0; i < run->channel_count && chosen < space; i++, index = next(run, index)) {
        struct channel *channel = &run->channels[index];
        const uint32_t ready = guard_ready(run, channel);
        if (ready > 0) {
            uint32_t count =
                channel->predicate(&channel->view, ready, run->lanes, channel->predicate_state);
            if (count > 0) {
                count = count < ready ? count : ready;
                choice[chosen++] = (struct choice){index, count};
                guard_chosen(channel, count);
            }
        }
    }
    if (chosen == 0 && run->is_drained) {
        chosen = partial(run, turn->channel, choice);
    }
    turn->channel = index;
    return chosen;
}

SCHEDULER_DEFINE(flat, struct turn, .phase = SL_PHASE_PREDICATE, .begin = begin,
                 .poll = all_channels_poll, .choose = choose, .retire = all_channels_retire)
