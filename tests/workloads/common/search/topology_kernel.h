/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A round of a search that looks at all nodes: a work-item for each. */
#ifndef SLUICE_WORKLOADS_COMMON_SEARCH_TOPOLOGY_KERNEL_H
#define SLUICE_WORKLOADS_COMMON_SEARCH_TOPOLOGY_KERNEL_H

#include "workloads/common/search/search_kernel.h"

/* Of a node at which nothing has changed since its edges were followed it is enough to look at two
 * words. Two rounds take turns in saying whether a distance has changed, so that each can clear the
 * other's word. */
static inline void topology_visit(const struct search search, bool has_lengths, uint32_t *followed,
                                  uint32_t *is_changed, uint32_t *is_other_changed)
{
    const uint32_t visited = (uint32_t)sl_global_id(0);
    const uint32_t distance = sl_load_relaxed_u32_device(&search.distance[visited]);
    bool shortens = false;

    if (visited == 0) {
        *is_other_changed = 0;
    }
    if (distance == followed[visited]) {
        return;
    }
    const uint64_t node = search.nodes[visited];
    for (uint32_t i = search_low(node); i < search_high(node); i++) {
        const uint64_t edge = search_edge(&search, has_lengths, i);
        const uint32_t next = search_low(edge);
        if (search_shortens(&search.distance[next], distance + search_high(edge))) {
            shortens = true;
        }
    }
    followed[visited] = distance;
    if (shortens && sl_load_relaxed_u32_device(is_changed) == 0) {
        sl_store_relaxed_u32_device(is_changed, 1);
    }
}

#endif
