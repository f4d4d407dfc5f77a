/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random graphs, and distances in them. */
#ifndef SLUICE_PROGRAMS_GRAPH_H
#define SLUICE_PROGRAMS_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "programs/common/graph_node.h"

/* Gives each of n nodes 1 to 2 degree - 1 edges. Returns how many all have. */
uint32_t graph_fill_nodes(struct graph_node *nodes, uint32_t n, uint32_t degree, uint32_t seed);

/* Makes `count` edges lead to nodes at random. */
void graph_fill_edges(uint32_t *edges, uint32_t count, uint32_t n, uint32_t seed);

/* Whether distances from node 0, in edges, or NOT_REACHED, are those that plain C finds; says on
 * standard error which is the first that is not. */
bool graph_distances_are_right(const char *program, const struct graph_node *nodes,
                               const uint32_t *edges, uint32_t n, const uint32_t *distances);

/* The largest of n distances, without nodes that are not reached. */
uint32_t graph_depth(const uint32_t *distances, uint32_t n);

#endif
