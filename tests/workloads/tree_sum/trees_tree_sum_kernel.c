/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_tree_sum.c: the function of tree_sum_kernel.c by fork, join and emit. */
#include "sluice/wave/trees.h"
#include "workloads/tree_sum/node.h"

SL_TASKS(trees_tree_sum, tree, sum)

/* The node's own value, and what its children have emitted. */
SL_TASK(sum, uint64_t, value, uint32_t, first, uint32_t, children)
{
    for (uint32_t i = 0; i < children; i++) {
        value += sl_task_u64(first + i, 0);
    }
    sl_emit_u64(value);
}

SL_TASK(tree, const struct tree_node *, node)
{
    const uint32_t children = (node->child[0] != NULL) + (node->child[1] != NULL);

    if (children == 0) {
        sl_emit_u64(node->value);
        return;
    }
    const unsigned first = sl_fork(sl_task_tree, children);
    for (unsigned i = 0, made = 0; i < CHILDREN; i++) {
        if (node->child[i] != NULL) {
            sl_task_set_u64(first + made++, 0, (uintptr_t)node->child[i]);
        }
    }
    sl_join_sum(node->value, first, children);
}
