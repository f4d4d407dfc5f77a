/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The check of the host's elements: after it, the device can store them and the aggregator can put
 * them in without a look at anything but the channel's counters. */
#include "check/graph/host_input_check.h"

#include <stdbool.h>

#include "check/graph/channels.h"
#include "sluice/limits.h"

static uint32_t count_max(const struct sl_host_input_shape *shape, uint64_t bytes)
{
    const uint32_t most = shape->width - (1u << shape->done_shift) + 1;
    return bytes * most <= SL_FEED_BYTES ? most : (uint32_t)(SL_FEED_BYTES / bytes);
}

static struct sl_host_input_shape shape_of(const struct sl_channel *channel)
{
    return (struct sl_host_input_shape){
        .width = channel->width,
        .stride = channel->stride,
        .done_shift = channel->done_shift,
        .flags = channel->flags,
    };
}

uint32_t sl_host_input_count_max(const struct sl_channel *channel, uint64_t bytes)
{
    const struct sl_host_input_shape shape = shape_of(channel);

    return count_max(&shape, bytes);
}

/* Elements of a padded channel may be smaller than its stride. */
static int check_bytes(const struct sl_host_input_shape *shape, uint32_t index, uint64_t bytes,
                       struct sl_graph_refusal *refusal)
{
    const bool may_be_less = (shape->flags & SL_CHANNEL_PADDED) != 0;

    if (bytes == shape->stride ||
        (may_be_less && bytes > 0 && bytes < shape->stride && bytes % 4 == 0)) {
        return 0;
    }
    return sl_refuse(refusal, SL_REFUSE_FEED_BYTES, index, bytes, shape->stride);
}

int sl_host_input_check_channel(uint32_t channel_count, const struct sl_message_host *message,
                                struct sl_graph_refusal *refusal)
{
    const uint64_t index = message->argument[SL_FEED_CHANNEL];

    return index < channel_count
               ? 0
               : sl_refuse(refusal, SL_REFUSE_FEED_CHANNEL, 0, index, channel_count);
}

int sl_host_input_check_elements(const struct sl_host_input_shape *shape,
                                 const struct sl_message_host *message,
                                 const struct sl_graph_limits *limits,
                                 struct sl_graph_refusal *refusal)
{
    const uint64_t *const argument = message->argument;
    const uint32_t index = (uint32_t)argument[SL_FEED_CHANNEL];
    const uint64_t count = argument[SL_FEED_COUNT];
    const uint64_t bytes = argument[SL_FEED_ELEMENT_BYTES];

    if ((shape->flags & (SL_CHANNEL_SOA | SL_CHANNEL_STAMPED)) != 0) {
        return sl_refuse(refusal, SL_REFUSE_FEED_VARIANT, index, shape->flags, 0);
    }
    if (check_bytes(shape, index, bytes, refusal) != 0) {
        return -1;
    }
    const uint32_t most = count_max(shape, bytes);
    if (count == 0 || count > most) {
        return sl_refuse(refusal, SL_REFUSE_FEED_COUNT, index, count, most);
    }
    if (argument[SL_FEED_WHEN_FULL] > SL_FULL_DROP) {
        return sl_refuse(refusal, SL_REFUSE_FEED_FULL, 0, argument[SL_FEED_WHEN_FULL],
                         SL_FULL_DROP);
    }
    return sl_refuse_place(refusal, SL_REFUSE_FEED_ADDRESS, 0, limits, argument[SL_FEED_ADDRESS],
                           count * bytes, 8);
}

int sl_host_input_check(const struct sl_graph *graph, const struct sl_message_host *message,
                        const struct sl_graph_limits *limits, struct sl_graph_refusal *refusal)
{
    if (sl_host_input_check_channel(graph->channel_count, message, refusal) != 0) {
        return -1;
    }
    const struct sl_host_input_shape shape =
        shape_of(&sl_graph_channels(graph)[message->argument[SL_FEED_CHANNEL]]);
    return sl_host_input_check_elements(&shape, message, limits, refusal);
}
