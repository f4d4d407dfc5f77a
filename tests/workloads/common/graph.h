/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random graphs, and distances in them. */
#ifndef SLUICE_WORKLOADS_COMMON_GRAPH_H
#define SLUICE_WORKLOADS_COMMON_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/argument.h"
#include "sluice/sluice.h"
#include "workloads/common/graph_node.h"

/* What programs can be asked for. */
struct graph_choice {
    uint32_t n;
    uint32_t degree; /* edges of a node on the average */
    uint32_t seed;
};

#define GRAPH_CHOICE(default_n)                                                                    \
    {                                                                                              \
        .n = (default_n), .degree = 6, .seed = 1                                                   \
    }

/* N, --degree and --seed: rows of a program's table, of which a struct graph_choice is a field. */
extern const struct sl_argument graph_table[];

/* Gives each of n nodes 1 to 2 degree - 1 edges. Returns how many all have. */
uint32_t graph_fill_nodes(struct graph_node *nodes, uint32_t n, uint32_t degree, uint32_t seed);

/* Makes a graph as it was chosen: nodes with edges, which lead to nodes at random, and distances as
 * before a search from node 0. Returns the edges, in the shared heap; ends the program where there
 * is no space. */
uint32_t *graph_make(struct sl_soc *soc, const struct graph_choice *choice,
                     struct graph_node *nodes, uint32_t *distances);

/* Whether distances from node 0, in edges, or NOT_REACHED, are those that plain C finds; says on
 * standard error which is the first that is not. */
bool graph_distances_are_right(const struct graph_node *nodes, const uint32_t *edges, uint32_t n,
                               const uint32_t *distances);

/* The largest of n distances, without nodes that are not reached. */
uint32_t graph_depth(const uint32_t *distances, uint32_t n);

#endif
