/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of mttop_dijkstra.c share. */
#ifndef SLUICE_WORKLOADS_PATHS_MTTOP_DIJKSTRA_H
#define SLUICE_WORKLOADS_PATHS_MTTOP_DIJKSTRA_H

#include <stdint.h>

#include "workloads/common/graph_node.h"

/* Nodes are looked through so many at a time, and the last ones of them may be none. */
#define AT_ONCE 4

struct edge {
    uint32_t to;
    uint32_t weight; /* at least 1 */
};

/* Rows of distances are of a node, columns of a source: sources are lanes, and lanes of a wavefront
 * load what lies side by side. */
struct paths {
    struct graph_node *nodes;
    struct edge *edges;
    uint32_t *distance;     /* or NOT_REACHED */
    uint32_t *open;         /* the same, but NOT_REACHED from where the search has gone on */
    uint32_t *eccentricity; /* of each node: the largest distance from a source that reaches it */
    uint32_t n;
    _Alignas(64) uint32_t diameter; /* the largest of all */
};

#endif
