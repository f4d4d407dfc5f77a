/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The channels of a graph by level, for graphs of channel stacks (papers/001 section 5.2), and
 * which of them are worth a look. Only what the device works on changes a channel: so a pass polls
 * *busy* channels, of which elements are with the device, for groups that are done, and the
 * channels that their kernels put elements into, by the graph's edges, for new elements. Schedulers
 * find ready elements in lists. A pass costs what happens in the machine, not what the graph is
 * high. Before a graph's end all channels are polled once more. */
#ifndef SLUICE_FIRMWARE_LEVELS_H
#define SLUICE_FIRMWARE_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/scheduler.h"
#include "policies/sorted.h"

/* A channel that the kernel of another puts elements into, and the next one of these. */
struct output {
    struct channel *channel;
    struct output *next;
};

struct levels {
    uint32_t count;       /* of levels */
    uint32_t first;       /* outstanding elements are at levels from here */
    uint32_t limit;       /* to the one before this; 0 where nothing is outstanding */
    uint64_t ready;       /* elements that are ready and not dispatched, of all channels */
    bool is_wide;         /* the next pass polls all channels */
    bool is_always_wide;  /* and all others: there are too many outputs to list */
    bool is_timed;        /* some channel is to be asked again as time passes */
    bool has_plain;       /* channels that are of no stack */
    bool waits_for_drain; /* partial wavefronts go only when nothing is in flight */

    uint32_t busy_count;
    struct channel *busy[SL_GRAPH_CHANNELS];
    /* Channels but for those of continuations, by rank: with ready elements, and those of them that
     * have a full wavefront or are to be asked. */
    struct sorted tasks;
    struct sorted full;

    uint32_t channel_count;
    uint16_t start[SL_STACK_LEVELS + 1]; /* of each level in the next array */
    uint16_t channel[SL_GRAPH_CHANNELS]; /* numbers, by rank: by level, then by number */
    uint32_t output_count;
    struct output outputs[SL_GRAPH_EDGES];

    /* Bit j of entry i: elements of kernel i may lead to those of kernel j at the same level. */
    uint64_t feeds[SL_GRAPH_KERNELS];
};

/* Sorts the channels, gives them their ranks and finds out what their kernels put elements into; a
 * plain channel counts as of level 0. The graph passed its check; all channels are looked at next.
 * `lanes`: of a wavefront. */
void levels_init(struct levels *levels, struct channel *channels, const struct sl_graph *graph,
                 uint32_t lanes);

/* Looks at all channels next. */
void levels_widen(struct levels *levels);

/* Polls what may have changed and finds out where something is outstanding. */
struct poll levels_poll(struct levels *levels, struct channel *channels);

/* The host has put elements into a channel. */
void levels_fed(struct levels *levels, struct channel *channel);

/* Deallocates up to `limit` groups of each busy channel. */
void levels_retire(const struct levels *levels, uint32_t limit);

/* The shallowest level of which tasks are ready; the number of levels where none are. */
static inline uint32_t levels_first_task(const struct levels *levels,
                                         const struct channel *channels)
{
    return levels->tasks.count > 0 ? channels[levels->channel[levels->tasks.number[0]]].level
                                   : levels->count;
}

/* Whether elements may still come into a channel of a stack before those that are ready in it have
 * gone. Without plain channels in the graph: their elements may lead to any level's. */
bool levels_may_fill(const struct levels *levels, const struct channel *channels,
                     const struct channel *channel);

/* `count` ready elements of a channel have been dispatched. */
void levels_dispatched(struct levels *levels, struct channel *channel, uint32_t count);

#endif
