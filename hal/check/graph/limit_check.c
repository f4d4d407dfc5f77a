/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Limits of a kernel, from its edges. Freestanding. Leaves out levels: of a channel stack the edges
 * name all levels, and so a limit is the same at whatever level the kernel runs. */
#include "check/graph/limit_check.h"

#include "check/graph/channels.h"

void sl_graph_limits(const struct sl_graph *graph, uint32_t kernel, struct sl_limit *limits)
{
    const struct sl_edge *edges = (const struct sl_edge *)(uintptr_t)graph->edges;
    const struct sl_channel *channels = sl_graph_channels(graph);

    for (uint32_t i = 0; i < graph->channel_count; i++) {
        limits[i] = (struct sl_limit){0, SL_RESERVE_NONE};
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        struct sl_limit *limit = &limits[edges[i].channel];
        if (edges[i].kernel == kernel && edges[i].fan_out > limit->fan_out) {
            limit->fan_out = edges[i].fan_out;
            limit->reservation = channels[edges[i].channel].reservation;
        }
    }
}
