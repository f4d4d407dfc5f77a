/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Polling and deallocation of all channels of a graph: in each pass of a policy that keeps no lists
 * of those that are worth a look, and at the end of every graph. */
#ifndef SLUICE_FIRMWARE_GRAPH_ALL_CHANNELS_H
#define SLUICE_FIRMWARE_GRAPH_ALL_CHANNELS_H

#include "graph/scheduler.h"

static inline struct poll all_channels_poll(struct run *run)
{
    const struct channel *end = run->channels + run->channel_count;
    struct poll poll = {0};

    for (struct channel *channel = run->channels; channel < end; channel++) {
        poll.is_new |= channel_poll(channel);
        if (channel->view.control_tail != channel->view.control_head) {
            poll.is_ready = true;
            poll.is_timed |= channel->is_timed;
        }
        poll.is_done |= channel_has_done_group(channel);
    }
    return poll;
}

static inline void all_channels_retire(struct run *run, uint32_t limit)
{
    for (uint32_t i = 0; i < run->channel_count; i++) {
        (void)channel_retire(&run->channels[i], limit);
    }
}

#endif
