/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of hybrid_bfs.c share. */
#ifndef SLUICE_WORKLOADS_BFS_HYBRID_BFS_H
#define SLUICE_WORKLOADS_BFS_HYBRID_BFS_H

#include <stdint.h>

#include "workloads/common/hybrid.h"

/* Nodes that a level is to visit, in the order in which they were found. */
struct frontier {
    uint32_t *nodes;
    _Alignas(HYBRID_LINE) uint32_t count;
};

/* In the shared heap, as is what it points to. */
struct search {
    uint64_t *nodes;     /* struct graph_node, each loaded at once */
    uint32_t *edges;     /* nodes that they lead to */
    uint8_t *is_visited; /* of each node: it was reached before this level */
    uint32_t *distance;  /* from node 0, or NOT_REACHED */
    uint32_t level;      /* distance of the frontier that is visited, or was last */
    struct frontier frontier[2];
};

#endif
