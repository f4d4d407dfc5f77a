/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_bfs.c, a work-item for each node. In one launch work-items store to the same
 * place only what is equal, with atomics, and nobody loads it in that launch. */
#include "sluice/wave/wave.h"
#include "workloads/common/graph_node.h"

/* Nodes of the frontier reach neighbours that nobody has visited. */
SL_KERNEL void bfs_visit(const struct graph_node *nodes, const uint32_t *edges,
                         uint8_t *is_frontier, uint32_t *reached, const uint8_t *is_visited,
                         const uint32_t *distances, uint32_t *is_unfinished)
{
    const uint32_t node = sl_global_id(0);

    if (node == 0) {
        *is_unfinished = 0;
    }
    if (is_frontier[node]) {
        const struct graph_node from = nodes[node];
        const uint32_t distance = distances[node] + 1;
        is_frontier[node] = 0;
        for (uint32_t i = from.first; i < from.first + from.count; i++) {
            const uint32_t next = edges[i];
            if (!is_visited[next]) {
                sl_store_relaxed_u32_device(&reached[next], distance);
            }
        }
    }
}

/* What was reached is the next frontier. */
SL_KERNEL void bfs_advance(uint8_t *is_frontier, uint32_t *reached, uint8_t *is_visited,
                           uint32_t *distances, uint32_t *is_unfinished)
{
    const uint32_t node = sl_global_id(0);

    if (reached[node] != 0) {
        distances[node] = reached[node];
        reached[node] = 0;
        is_frontier[node] = 1;
        is_visited[node] = 1;
        if (sl_elect()) {
            sl_store_relaxed_u32_device(is_unfinished, 1);
        }
    }
}
