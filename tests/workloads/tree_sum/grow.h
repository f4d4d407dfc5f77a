/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The tree of tree_sum.c and trees_tree_sum.c: random keys have grown it. */
#ifndef SLUICE_WORKLOADS_TREE_SUM_GROW_H
#define SLUICE_WORKLOADS_TREE_SUM_GROW_H

#include "workloads/tree_sum/node.h"

#define TREE_NODES_MAX 1000000

/* Grows the tree in nodes[0] to nodes[n - 1], which are 0 before, and adds up its values in *sum.
 * Returns its height. */
uint32_t tree_grow(struct tree_node *nodes, uint32_t n, uint64_t *sum);

#endif
