/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of hybrid_bfs.c, a work-item for each node of a frontier. What a launch changes by
 * atomics or stores it loads nowhere: whether a node was reached before is what bfs_mark stored. */
#include "sluice/wave/wave.h"
#include "workloads/bfs/hybrid_bfs.h"
#include "workloads/common/graph_node.h"

/* Appends a node of each active lane: one addition for all, and places side by side. */
static inline void append(uint32_t *list, uint32_t *count, int32_t node)
{
    const uint64_t rank = sl_scan_add(1), all = sl_reduce_add(1);
    uint32_t begin = 0;

    if (sl_elect()) {
        begin = sl_atomic_add_u32(count, (uint32_t)all);
    }
    list[sl_first(begin) + rank] = (uint32_t)node;
}

/* Visits the neighbours of the nodes of one frontier. Those that nobody has reached are the other
 * one: of several lanes that find a node the first alone appends it. The size of the grid has been
 * read, so that the frontier is empty from here on. */
SL_KERNEL void bfs_visit(struct search *search, uint64_t from)
{
    struct frontier *const visited = &search->frontier[from], *const next = visited + 1 - 2 * from;
    const uint32_t place = sl_global_id(0), distance = search->level + 1;
    const uint8_t *const is_visited = search->is_visited;
    uint32_t *const distances = search->distance, *const list = next->nodes;
    const uint64_t node = search->nodes[visited->nodes[place]];
    const int32_t *edge = (const int32_t *)search->edges + (uint32_t)node;

    if (place == 0) {
        visited->count = 0;
    }
    for (const int32_t *const end = edge + (node >> 32); edge < end; edge++) {
        const int32_t neighbour = *edge; /* as it is loaded: none has the highest bit */
        if (!is_visited[neighbour] &&
            sl_atomic_min_u32_device(&distances[neighbour], distance) == NOT_REACHED) {
            append(list, &next->count, neighbour);
        }
    }
}

/* Notes the nodes of a frontier as reached, and that it is one level farther. */
SL_KERNEL void bfs_mark(struct search *search, uint64_t from)
{
    const uint32_t place = sl_global_id(0);

    search->is_visited[search->frontier[from].nodes[place]] = 1;
    if (place == 0) {
        search->level++;
    }
}
