/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Steps by relaxation over the edges, which takes one round more than the longest chain within a
 * level; then the steps of each level, added up from the deepest one. */
#include "check/graph/waiting_order.h"

#include "check/graph/channels.h"
#include "sluice/codes.h"

static bool may_yield(const struct sl_graph *graph, uint32_t kernel)
{
    const struct sl_kernel *kernels = (const struct sl_kernel *)(uintptr_t)graph->kernels;
    return (kernels[kernel].flags & SL_KERNEL_YIELDS) != 0;
}

/* The levels at which kernels may wait: an edge is used from the level that is its offset above its
 * channel's, one to a channel that is of no stack from anywhere. */
static void find_limits(const struct sl_graph *graph, struct sl_graph_order *order)
{
    const struct sl_channel *channels = sl_graph_channels(graph);
    const struct sl_edge *edges = (const struct sl_edge *)(uintptr_t)graph->edges;

    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        order->limit[i] = 0;
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct sl_edge *edge = &edges[i];
        const struct sl_channel *to = &channels[edge->channel];
        const uint32_t limit =
            to->role == SL_ROLE_PLAIN ? SL_STACK_LEVELS : to->level + 1 - edge->level_offset;
        if (limit > order->limit[edge->kernel] && may_yield(graph, edge->kernel)) {
            order->limit[edge->kernel] = limit;
        }
    }
}

static int find_steps(const struct sl_graph *graph, struct sl_graph_order *order, uint32_t *edge)
{
    const struct sl_channel *channels = sl_graph_channels(graph);
    const struct sl_edge *edges = (const struct sl_edge *)(uintptr_t)graph->edges;
    bool is_changed = true;

    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        order->step[i] = 0;
    }
    while (is_changed) {
        is_changed = false;
        for (uint32_t i = 0; i < graph->edge_count; i++) {
            const struct sl_channel *to = &channels[edges[i].channel];
            const uint32_t from = edges[i].kernel;
            if (edges[i].level_offset == 0 && to->role != SL_ROLE_PLAIN && order->limit[from] > 0 &&
                order->limit[to->kernel] > 0 && order->step[to->kernel] <= order->step[from]) {
                order->step[to->kernel] = order->step[from] + 1;
                is_changed = true;
                if (order->step[to->kernel] == graph->kernel_count) {
                    *edge = i;
                    return -1;
                }
            }
        }
    }
    return 0;
}

int sl_graph_order(const struct sl_graph *graph, struct sl_graph_order *order, uint32_t *edge)
{
    const struct sl_channel *channels = sl_graph_channels(graph);

    find_limits(graph, order);
    if (find_steps(graph, order, edge) != 0) {
        return -1;
    }
    for (uint32_t level = 0; level <= SL_STACK_LEVELS; level++) {
        order->below[level] = 0;
    }
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        const uint32_t kernel = channels[i].kernel;
        uint32_t *const steps = &order->below[channels[i].level];
        if (channels[i].level < order->limit[kernel] && order->step[kernel] >= *steps) {
            *steps = order->step[kernel] + 1;
        }
    }
    for (uint32_t level = SL_STACK_LEVELS; level-- > 0;) {
        order->below[level] += order->below[level + 1];
    }
    return 0;
}
