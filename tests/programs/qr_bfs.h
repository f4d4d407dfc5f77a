/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of qr_bfs.c share: a graph as lists of edges, and a breadth-first
 * search over it, level by level. */
#ifndef SLUICE_PROGRAMS_QR_BFS_H
#define SLUICE_PROGRAMS_QR_BFS_H

#include <stdint.h>

#define NOT_REACHED UINT32_MAX

/* A node's edges: those from `first` on. */
struct node {
    uint32_t first;
    uint32_t count;
};

struct search {
    const struct node *nodes;
    const uint32_t *edges; /* nodes that they lead to */
    uint8_t *is_frontier;  /* of each node: it was reached in the level before */
    uint8_t *is_next;      /* it is reached in this one */
    uint8_t *is_visited;
    uint32_t *distance;     /* from node 0, or NOT_REACHED */
    uint32_t is_unfinished; /* nodes were reached */
};

#endif
