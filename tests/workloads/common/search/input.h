/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Graphs to search: made from a seed, and equal wherever they are made. */
#ifndef SLUICE_WORKLOADS_COMMON_SEARCH_INPUT_H
#define SLUICE_WORKLOADS_COMMON_SEARCH_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/common/search/search.h"

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
uint32_t input_fill_nodes(const struct input *input, uint64_t *nodes);

/* Then fills all edges, with lengths or without. */
void input_fill_edges(const struct input *input, bool has_lengths, struct search *search);

#endif
