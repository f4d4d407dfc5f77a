/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Graphs to search: made from a seed, and equal wherever they are made. */
#ifndef SLUICE_PROGRAMS_INPUT_H
#define SLUICE_PROGRAMS_INPUT_H

#include <stdint.h>

#include "programs/common/graph_node.h"

/* Lengths of edges are 1 to this. */
#define INPUT_LENGTH_MAX 100

enum input_kind {
    INPUT_RMAT, /* edges by chance, the more of them the less a node's number (R-MAT) */
    INPUT_GRID, /* rows of nodes, each with edges to the four beside it */
};

struct input {
    enum input_kind kind;
    uint32_t n;      /* nodes, at least 1 */
    uint32_t degree; /* INPUT_RMAT: edges of a node, on the average */
    uint32_t seed;
};

/* Says for each of the n nodes which edges are its own. Returns how many all have. */
uint32_t input_fill_nodes(const struct input *input, struct graph_node *nodes);

/* Then, for each edge, the node that it leads to, and its length; NULL for no lengths. */
void input_fill_edges(const struct input *input, struct graph_node *nodes, uint32_t *to,
                      uint32_t *lengths);

#endif
