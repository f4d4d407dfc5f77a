/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A round of a search that looks at all nodes: a work-item for each. */
#ifndef SLUICE_PROGRAMS_SEARCH_TOPOLOGY_KERNEL_H
#define SLUICE_PROGRAMS_SEARCH_TOPOLOGY_KERNEL_H

#include "programs/common/search/search_kernel.h"

/* Two rounds take turns in saying whether a distance has changed, so that each can clear the
 * other's word. */
static inline void topology_visit(const struct search search, bool has_lengths,
                                  uint32_t *is_changed, uint32_t *is_other_changed)
{
    const uint32_t visited = (uint32_t)sl_global_id(0);
    const uint32_t distance = search.distance[visited];
    bool shortens = false;

    if (visited == 0) {
        *is_other_changed = 0;
    }
    if (distance != NOT_REACHED) {
        const struct graph_node node = search.nodes[visited];
        for (uint32_t i = node.first; i < node.first + node.count; i++) {
            shortens |= search_shortens(&search.distance[search.to[i]],
                                        search_length(&search, has_lengths, i, distance));
        }
    }
    if (shortens && *is_changed == 0) {
        *is_changed = 1;
    }
}

#endif
