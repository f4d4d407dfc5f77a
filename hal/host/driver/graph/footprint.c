/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sums over the channels of a graph. */
#include "host/driver/graph/graph.h"

#include <stdbool.h>

#include "check/graph/channels.h"
#include "sluice/codes.h"
#include "sluice/limits.h"
#include "sluice/stamp.h"

struct sl_channel_arrays sl_channel_arrays(const struct sl_channel *channel, uint64_t width)
{
    const bool is_stamped = (channel->flags & SL_CHANNEL_STAMPED) != 0;

    return (struct sl_channel_arrays){
        .data = sl_channel_data_bytes(channel, width),
        .control = 2 * width * sizeof(uint32_t),
        .done = (width >> channel->done_shift) * sizeof(uint32_t),
        .stamps = is_stamped ? sl_stamp_count((uint32_t)width) * sizeof(uint64_t) : 0,
    };
}

uint64_t sl_help_first_width(const struct sl_channel *channel, uint64_t elements)
{
    const uint64_t group = 1ull << channel->done_shift;
    uint64_t width = group > SL_CHANNEL_WIDTH_MIN ? group : SL_CHANNEL_WIDTH_MIN;

    while (width < elements && width < UINT64_C(1) << 63) {
        width *= 2;
    }
    return width;
}

static uint64_t bytes_of(const struct sl_channel *channel, uint64_t width)
{
    const struct sl_channel_arrays arrays = sl_channel_arrays(channel, width);

    return arrays.data + arrays.control + arrays.done + arrays.stamps;
}

struct sl_footprint sl_footprint(const struct sl_channel *channels, uint32_t count,
                                 const uint64_t *elements)
{
    struct sl_footprint footprint = {0, 0};
    bool has_stack = false;

    for (uint32_t i = 0; i < count; i++) {
        const struct sl_channel *channel = &channels[i];
        const bool is_stack = channel->role != SL_ROLE_PLAIN;
        const uint64_t width =
            is_stack ? sl_help_first_width(channel, elements[i]) : channel->width;
        has_stack |= is_stack;
        footprint.channel_bytes += bytes_of(channel, channel->width);
        footprint.help_first_bytes += bytes_of(channel, width);
    }
    if (!has_stack) {
        footprint.help_first_bytes = 0;
    }
    return footprint;
}
