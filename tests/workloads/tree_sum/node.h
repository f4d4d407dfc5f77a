/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Nodes of the tree whose values tree_sum.c and trees_tree_sum.c add up, for hosts and kernels. */
#ifndef SLUICE_WORKLOADS_TREE_SUM_NODE_H
#define SLUICE_WORKLOADS_TREE_SUM_NODE_H

#include <stdint.h>

#define CHILDREN 2

struct tree_node {
    struct tree_node *child[CHILDREN]; /* or NULL */
    uint64_t value;
};

#endif
