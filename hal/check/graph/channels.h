/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The channels of a graph in shared memory. */
#ifndef SLUICE_CHECK_GRAPH_CHANNELS_H
#define SLUICE_CHECK_GRAPH_CHANNELS_H

#include <stdint.h>

#include "sluice/codes.h"
#include "sluice/layouts.h"

/* Bytes of the data array of a channel of this description, but of `width` elements. Cannot
 * overflow where width, stride and element size are in range. */
static inline uint64_t sl_channel_data_bytes(const struct sl_channel *channel, uint64_t width)
{
    const uint64_t each =
        (channel->flags & SL_CHANNEL_SOA) != 0 ? channel->element_bytes : channel->stride;
    return (width + channel->slack) * each;
}

/* The channels of a graph: they follow it in memory. */
static inline struct sl_channel *sl_graph_channels(const struct sl_graph *graph)
{
    return (struct sl_channel *)(uintptr_t)(graph + 1);
}

#endif
