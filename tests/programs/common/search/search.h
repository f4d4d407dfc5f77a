/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A search for the shortest paths from node 0, for host programs and kernels. */
#ifndef SLUICE_PROGRAMS_SEARCH_H
#define SLUICE_PROGRAMS_SEARCH_H

#include <stdint.h>

#include "programs/common/graph_node.h"

struct search {
    struct graph_node *nodes;
    uint32_t *to;       /* of each edge, the node that it leads to */
    uint32_t *lengths;  /* of each edge; NULL: all are 1 */
    uint32_t *distance; /* of each node, or NOT_REACHED; never grows */
};

#endif
