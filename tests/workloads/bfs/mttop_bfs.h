/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of mttop_bfs.c share. */
#ifndef SLUICE_WORKLOADS_BFS_MTTOP_BFS_H
#define SLUICE_WORKLOADS_BFS_MTTOP_BFS_H

#include <stdint.h>

#include "workloads/common/graph_node.h"

struct search {
    struct graph_node *nodes;
    uint32_t *edges;      /* nodes that they lead to */
    uint8_t *is_frontier; /* of each node: it was reached in the level before */
    uint8_t *is_next;     /* it is reached in this one; whole words */
    uint32_t *distance;   /* from node 0, or NOT_REACHED */
    uint32_t n;
    _Alignas(64) uint32_t reached; /* nodes but the first, in all levels that are over */
};

#endif
