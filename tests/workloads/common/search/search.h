/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A search for the shortest paths from node 0, for host programs and kernels. What is loaded
 * together is in one word: scattered loads are what such programs wait for. */
#ifndef SLUICE_WORKLOADS_COMMON_SEARCH_H
#define SLUICE_WORKLOADS_COMMON_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#define NOT_REACHED UINT32_MAX

struct search {
    uint64_t *nodes; /* of each, its first edge in the lower half, the one behind its last above */
    void *edges;     /* of each, the node that it leads to: 32 bits; with lengths 64 bits, with
                        its length in the upper half */
    uint32_t *distance; /* of each node, or NOT_REACHED; never grows */
};

static inline uint32_t search_low(uint64_t pair)
{
    return (uint32_t)pair;
}

static inline uint32_t search_high(uint64_t pair)
{
    return (uint32_t)(pair >> 32);
}

/* An edge with its length, which is 1 where edges have none. */
static inline uint64_t search_edge(const struct search *search, bool has_lengths, uint32_t i)
{
    return has_lengths ? ((const uint64_t *)search->edges)[i]
                       : UINT64_C(1) << 32 | ((const uint32_t *)search->edges)[i];
}

#endif
