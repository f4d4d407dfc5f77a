/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of the second tutorial (docs/learn/cilk.md) share: the elements of
 * the channel stacks. */
#ifndef SLUICE_WORKLOADS_TREE_SUM_H
#define SLUICE_WORKLOADS_TREE_SUM_H

#include <stdint.h>

#include "workloads/tree_sum/node.h"

/* Of the pre-spawn stack: what is the sum of the values in this tree? */
struct tree_task {
    const struct tree_node *node;
    uint64_t *result;
};

/* Of the continuation stack: the node's own value, and a place for each child's sum. */
struct tree_join {
    uint64_t *result;
    uint64_t value;
    uint64_t sum[CHILDREN];
};

#endif
