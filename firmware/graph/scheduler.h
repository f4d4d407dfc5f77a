/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Scheduling policies: which channels' elements run next. One is a file that ends with
 * SCHEDULER_DEFINE (graph/graph_loop.h) and a line in hal/contract/policies.def. A policy reads the
 * run and leaves its choice; the run writes the packets. */
#ifndef SLUICE_FIRMWARE_GRAPH_SCHEDULER_H
#define SLUICE_FIRMWARE_GRAPH_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/run.h"
#include "sluice/codes.h"

/* So many ready elements of this channel; 1 or more, and not more than are ready. */
struct choice {
    uint32_t channel;
    uint32_t count;
};

/* What polling channels found. */
struct poll {
    bool is_new;   /* elements became ready, or what a channel says cannot be */
    bool is_ready; /* elements are ready */
    bool is_timed; /* some of them wait for a timed predicate or guard */
    bool is_done;  /* a group can be deallocated */
};

/* The most that a policy may have as its state: memory that is its own while its graph runs. */
#define SCHEDULER_STATE_BYTES (128u << 10)

struct scheduler {
    enum sl_phase phase; /* what `choose` counts as: SCHEDULE or PREDICATE. With the latter, partial
                            wavefronts of an open graph are held while the host may fill them */

    /* The graph's channels are in run->channels, memory for the policy's state is at run->state,
     * with anything in it; nothing was dispatched yet. */
    void (*begin)(struct run *run, const struct sl_graph *graph);

    /* In each pass: polls the tails (channel_poll()) of all channels in which there may be new
     * elements, and looks for done groups of those of which wavefronts have run. */
    struct poll (*poll)(struct run *run);

    /* Chooses at most `space` packets, 1 or more, of elements that their channels' guards let go
     * (graph/guard.h); returns how many. Called when there are ready elements and either some are
     * new, packets have completed, or a timed predicate or guard waits. Where nothing is in flight
     * (run->is_drained) it must choose something, unless wavefronts wait that have yielded: that is
     * what keeps a graph going. A policy that kernels' bounds apply to (queues/throttle.h) counts
     * there what it chooses. */
    uint32_t (*choose)(struct run *run, struct choice *choice, uint32_t space);

    /* So many elements of the channel went as chosen. NULL: nothing to do. */
    void (*dispatched)(struct run *run, struct channel *channel, uint32_t count);

    /* After a poll that found done groups: deallocates up to `limit` of each channel
     * (channel_retire()). */
    void (*retire)(struct run *run, uint32_t limit);

    /* When nothing is in flight, nothing waits and the last poll found nothing ready: whether that
     * is all. NULL: it is, as every poll looks at all channels. */
    bool (*is_complete)(struct run *run);

    /* The host has put elements into this channel of an open graph. NULL: nothing to do, as every
     * poll looks at all channels. */
    void (*fed)(struct run *run, struct channel *channel);

    /* Passes until the graph has ended: made by SCHEDULER_DEFINE. */
    enum sl_message_agg_type (*passes)(struct run *run, struct sl_message_agg *answer);
};

#define SL_POLICY(NAME, name, value, graphs, flags, text)                                          \
    extern const struct scheduler scheduler_##name;
#include "contract/policies.def"
#undef SL_POLICY

#endif
