/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host and kernel of the search share: the graph, and the frontier's elements. */
#ifndef BFS_H
#define BFS_H

#include <stdint.h>

#define NOT_REACHED UINT32_MAX
#define DEGREE_MAX  47

/* A vertex of the graph. It begins with a cache line, and most need no more than that one. */
struct vertex {
    uint32_t degree;
    uint32_t neighbour[DEGREE_MAX];
};

/* Its neighbours are to be visited; it is so far from the first one. */
struct visit {
    uint32_t vertex;
    uint32_t distance;
};

#endif
