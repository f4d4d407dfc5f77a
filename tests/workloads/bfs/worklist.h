/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of worklist.c share: a graph that needs no memory, and the state of
 * a breadth-first search over it. */
#ifndef SLUICE_WORKLOADS_BFS_WORKLIST_H
#define SLUICE_WORKLOADS_BFS_WORKLIST_H

#include <stdint.h>

#define NEIGHBOURS  3
#define NOT_REACHED UINT32_MAX

struct search {
    uint32_t nodes;
    uint32_t count[2];  /* of the nodes in each list */
    uint32_t *list[2];  /* room for all nodes each */
    uint32_t *distance; /* of each node from node 0, or NOT_REACHED */
};

/* Two edges as in a heap, and one that jumps. */
static inline uint32_t neighbour(uint32_t node, uint32_t edge, uint32_t nodes)
{
    return (edge < 2 ? 2 * node + 1 + edge : node + 7919) % nodes;
}

#endif
