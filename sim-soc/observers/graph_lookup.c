/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Looking up the channels of a graph. */
#include "observers/graph_lookup.h"

#include <stddef.h>

#include "sluice/limits.h"

const struct sl_channel *graph_channels(const struct dram *dram, uint64_t address, uint32_t *count)
{
    *count = 0;
    if (address % 8 != 0 || !dram_holds(dram, address, sizeof(struct sl_graph))) {
        return NULL;
    }
    const struct sl_graph *graph = dram_at(dram, address);
    const uint64_t first = graph_channels_base(address);
    if (graph->channel_count > SL_GRAPH_CHANNELS ||
        !dram_holds(dram, first, graph->channel_count * sizeof(struct sl_channel))) {
        return NULL;
    }
    *count = graph->channel_count;
    return dram_at(dram, first);
}
