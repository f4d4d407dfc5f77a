/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of worklist.c. */
#include "sluice/wave/wave.h"
#include "workloads/bfs/worklist.h"

/* Visits the neighbours of one node of a list: those that nobody has reached go into the other
 * list. */
SL_KERNEL void worklist_visit(struct search *search, uint32_t from)
{
    const uint32_t node = search->list[from][sl_global_id(0)];
    const uint32_t distance = search->distance[node] + 1;

    for (uint32_t edge = 0; edge < NEIGHBOURS; edge++) {
        const uint32_t next = neighbour(node, edge, search->nodes);
        uint32_t before = NOT_REACHED;
        if (__atomic_compare_exchange_n(&search->distance[next], &before, distance, 0,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            const uint32_t place =
                __atomic_fetch_add(&search->count[1 - from], 1, __ATOMIC_RELAXED);
            search->list[1 - from][place] = next;
        }
    }
}

/* Empties a list. One work-item. */
SL_KERNEL void worklist_clear(struct search *search, uint32_t list)
{
    search->count[list] = 0;
}
