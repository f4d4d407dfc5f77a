/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the kernels that search have in common. */
#ifndef SLUICE_WORKLOADS_COMMON_SEARCH_SEARCH_KERNEL_H
#define SLUICE_WORKLOADS_COMMON_SEARCH_SEARCH_KERNEL_H

#include "sluice/wave/wave.h"
#include "workloads/common/search/search.h"

/* A node's edges and distance: both loads are under way before either is waited for. The distance
 * is an atomic's, as others may make it shorter meanwhile, but nothing goes by its order. */
static inline uint64_t search_visit(const struct search *search, uint32_t visited,
                                    uint32_t *distance)
{
    uint64_t node = search->nodes[visited];
    *distance = sl_load_relaxed_u32_device(&search->distance[visited]);
    __asm__("" : "+r"(node), "+r"(*distance));
    return node;
}

/* Whether a path of this length is shorter than what is known of a node: it is known then. What was
 * looked at may be too long by now; the atomic decides. */
static inline bool search_shortens(uint32_t *distance, uint32_t length)
{
    return length < sl_load_relaxed_u32_device(distance) &&
           sl_atomic_min_u32_device(distance, length) > length;
}

#endif
