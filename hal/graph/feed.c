/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The check of the host's elements: after it, the device can store them and the aggregator can put
 * them in without a look at anything but the channel's counters. */
#include "graph/feed.h"

#include <stdbool.h>

#include "graph/channels.h"
#include "sluice/limits.h"

uint32_t sl_feed_count_max(const struct sl_channel *channel, uint64_t bytes)
{
    const uint32_t most = channel->width - (1u << channel->done_shift) + 1;
    return bytes * most <= SL_FEED_BYTES ? most : (uint32_t)(SL_FEED_BYTES / bytes);
}

/* Elements of a padded channel may be smaller than its stride. */
static int check_bytes(const struct sl_channel *channel, uint32_t index, uint64_t bytes,
                       struct sl_graph_refusal *refusal)
{
    const uint32_t stride = channel->stride;
    const bool may_be_less = (channel->flags & SL_CHANNEL_PADDED) != 0;

    if (bytes == stride || (may_be_less && bytes > 0 && bytes < stride && bytes % 4 == 0)) {
        return 0;
    }
    return sl_refuse(refusal, SL_REFUSE_FEED_BYTES, index, bytes, stride);
}

int sl_feed_check(const struct sl_graph *graph, const struct sl_message_host *message,
                  const struct sl_graph_limits *limits, struct sl_graph_refusal *refusal)
{
    const uint64_t *const argument = message->argument;
    const uint64_t index = argument[SL_FEED_CHANNEL];
    const uint64_t count = argument[SL_FEED_COUNT];
    const uint64_t bytes = argument[SL_FEED_ELEMENT_BYTES];

    if (index >= graph->channel_count) {
        return sl_refuse(refusal, SL_REFUSE_FEED_CHANNEL, 0, index, graph->channel_count);
    }
    const struct sl_channel *const channel = &sl_graph_channels(graph)[index];
    if ((channel->flags & (SL_CHANNEL_SOA | SL_CHANNEL_STAMPED)) != 0) {
        return sl_refuse(refusal, SL_REFUSE_FEED_VARIANT, (uint32_t)index, channel->flags, 0);
    }
    if (check_bytes(channel, (uint32_t)index, bytes, refusal) != 0) {
        return -1;
    }
    const uint32_t most = sl_feed_count_max(channel, bytes);
    if (count == 0 || count > most) {
        return sl_refuse(refusal, SL_REFUSE_FEED_COUNT, (uint32_t)index, count, most);
    }
    if (argument[SL_FEED_WHEN_FULL] > SL_FULL_DROP) {
        return sl_refuse(refusal, SL_REFUSE_FEED_FULL, 0, argument[SL_FEED_WHEN_FULL],
                         SL_FULL_DROP);
    }
    if (sl_refuse_place(refusal, SL_REFUSE_FEED_ADDRESS, 0, limits, argument[SL_FEED_ADDRESS],
                        count * bytes, 8) != 0) {
        return -1;
    }
    /* The firmware's stores go there, whatever kernels may have overwritten since the graph's
     * check. */
    return sl_refuse_place(refusal, SL_REFUSE_CHANNEL_ARRAY, (uint32_t)index, limits,
                           channel->control, 2 * sizeof(uint32_t) * channel->width,
                           sizeof(uint32_t));
}
