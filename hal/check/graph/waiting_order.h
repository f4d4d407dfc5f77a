/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The order in which wavefronts of channel stacks may wait for each other, and the blocks of the
 * wavefront state pool that have to stay free for it (docs/know/scheduling.md, "Order of waiting").
 *
 * A kernel that may yield waits for space in the channels that its edges name: of the next level,
 * or of its own. The edges within a level give each such kernel a step: one more than those of the
 * kernels that may wait for it. Levels, and steps within a level, are one chain of waiting. */
#ifndef SLUICE_CHECK_GRAPH_WAITING_ORDER_H
#define SLUICE_CHECK_GRAPH_WAITING_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/layouts.h"
#include "sluice/limits.h"

struct sl_graph_order {
    uint32_t step[SL_GRAPH_KERNELS];     /* within a level, from 0 */
    uint32_t limit[SL_GRAPH_KERNELS];    /* channels of the kernel may wait at levels below this */
    uint32_t below[SL_STACK_LEVELS + 1]; /* steps that may wait at this level and deeper ones */
};

/* Works the order out for a graph whose channels, kernels and edges have passed their checks.
 * Returns 0; -1 with the number of an edge where edges within a level form a circle of kernels that
 * may yield: each could wait for the next one for ever. */
int sl_graph_order(const struct sl_graph *graph, struct sl_graph_order *order, uint32_t *edge);

/* Blocks that must still be free after a wavefront of the channel was launched: one for each step
 * that it may wait for, and one for what does not wait itself. 0 where it cannot wait. */
static inline uint32_t sl_graph_reserve(const struct sl_graph_order *order,
                                        const struct sl_channel *channel)
{
    return channel->level < order->limit[channel->kernel]
               ? order->below[channel->level] - order->step[channel->kernel]
               : 0;
}

/* The least pool with which the graph comes to its end. */
static inline uint32_t sl_graph_blocks(const struct sl_graph_order *order)
{
    return order->below[0] + 1;
}

#endif
