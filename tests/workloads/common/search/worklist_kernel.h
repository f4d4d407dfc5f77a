/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A launch of a search by worklists: a work-item for each node of a list. */
#ifndef SLUICE_WORKLOADS_COMMON_SEARCH_WORKLIST_KERNEL_H
#define SLUICE_WORKLOADS_COMMON_SEARCH_WORKLIST_KERNEL_H

#include "workloads/common/search/search_kernel.h"
#include "workloads/common/search/worklist.h"

/* Puts each active lane's node into a list: one atomic add for all of them, as of sl_fork(). */
static inline void worklist_push(struct worklist *list, uint32_t capacity, uint32_t node)
{
    const uint64_t before = sl_scan_add(1);
    const uint64_t all = sl_reduce_add(1);
    uint64_t first = 0;

    if (sl_elect()) {
        first = sl_atomic_add_u32(&list->count, (uint32_t)all);
    }
    first = sl_first(first);
    if (first + all > capacity) {
        sl_trap(TRAP_WORKLIST, first + all, capacity);
    }
    list->node[first + before] = node;
}

/* Nodes that a node of one list has come nearer to go into the other. The count of the first is not
 * read any more when this runs, and is cleared for the next launch, which fills that list. */
static inline void worklist_visit(const struct search search, bool has_lengths,
                                  struct worklist *from, struct worklist *into, uint32_t capacity)
{
    const uint32_t item = (uint32_t)sl_global_id(0);
    const uint32_t visited = from->node[item];
    uint32_t distance;
    const uint64_t node = search_visit(&search, visited, &distance);

    if (item == 0) {
        from->count = 0;
    }
    for (uint32_t i = search_low(node); i < search_high(node); i++) {
        const uint64_t edge = search_edge(&search, has_lengths, i);
        const uint32_t next = search_low(edge);
        if (search_shortens(&search.distance[next], distance + search_high(edge))) {
            worklist_push(into, capacity, next);
        }
    }
}

#endif
