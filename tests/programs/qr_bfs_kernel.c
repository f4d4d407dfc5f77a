/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_bfs.c, a work-item for each node. In one launch work-items store to the same
 * place only what is equal, and nobody loads it in that launch. */
#include "programs/qr_bfs.h"
#include "wave/sluice_wave.h"

/* Nodes of the frontier reach neighbours that nobody has visited. */
SL_KERNEL void bfs_visit(struct search *search)
{
    const uint32_t node = sl_global_id(0);

    if (node == 0) {
        search->is_unfinished = 0;
    }
    if (search->is_frontier[node]) {
        const struct node edges = search->nodes[node];
        const uint32_t distance = search->distance[node] + 1;
        search->is_frontier[node] = 0;
        for (uint32_t i = edges.first; i < edges.first + edges.count; i++) {
            const uint32_t next = search->edges[i];
            if (!search->is_visited[next]) {
                search->distance[next] = distance;
                search->is_next[next] = 1;
            }
        }
    }
}

/* What was reached is the next frontier. */
SL_KERNEL void bfs_advance(struct search *search)
{
    const uint32_t node = sl_global_id(0);

    if (search->is_next[node]) {
        search->is_next[node] = 0;
        search->is_frontier[node] = 1;
        search->is_visited[node] = 1;
        search->is_unfinished = 1;
    }
}
