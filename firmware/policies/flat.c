/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The flat scheduler: channels in turn, each as its predicate says. When nothing is in flight and
 * no predicate lets anything go, one partial wavefront goes (core paper, section 3; DESIGN section
 * 6). */
#include "core/scheduler.h"

/* Where the next choice begins: only matters when the rings are full. */
static uint32_t turn;

static void begin(const struct run *run)
{
    (void)run;
    turn = 0;
}

static uint32_t next(const struct run *run, uint32_t channel)
{
    return channel + 1 == run->channel_count ? 0 : channel + 1;
}

static uint32_t partial(struct run *run, struct choice *choice)
{
    uint32_t index = turn;
    for (uint32_t i = 0; i < run->channel_count; i++, index = next(run, index)) {
        const uint32_t ready = channel_ready(&run->channels[index]);
        if (ready > 0) {
            choice[0] = (struct choice){index, ready < run->lanes ? ready : run->lanes};
            return 1;
        }
    }
    return 0;
}

static uint32_t choose(struct run *run, struct choice *choice, uint32_t space)
{
    uint32_t chosen = 0;
    uint32_t index = turn;

    for (uint32_t i = 0; i < run->channel_count && chosen < space; i++, index = next(run, index)) {
        struct channel *channel = &run->channels[index];
        const uint32_t ready = channel_ready(channel);
        if (ready > 0) {
            const uint32_t count =
                channel->predicate(&channel->view, ready, run->lanes, channel->predicate_state);
            if (count > 0) {
                choice[chosen++] = (struct choice){index, count < ready ? count : ready};
            }
        }
    }
    if (chosen == 0 && run->is_drained) {
        chosen = partial(run, choice);
    }
    turn = index;
    return chosen;
}

const struct scheduler scheduler_flat = {"flat", begin, choose};

const struct scheduler *scheduler_find(uint32_t scheduler)
{
    static const struct scheduler *const table[] = {
        [SL_SCHEDULER_FLAT] = &scheduler_flat,
        [SL_SCHEDULER_LEVELIZED] = &scheduler_levelized,
    };
    return table[scheduler];
}
