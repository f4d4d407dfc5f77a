/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of trees_orders.c: the programs of papers/000 Figure 5.2. Children are forked
 * together, so that they have neighbouring slots, as in Table 5.1. */
#include "probes/trees/trees_orders.h"
#include "sluice/wave/trees.h"

SL_TASKS(trees_orders, postorder, visit_after, preorder)

static void visit(struct node *node)
{
    node->visits++;
    node->order = sl_atomic_add_u32(node->counter, 1);
}

static void fork_children(unsigned function, const struct node *node)
{
    const unsigned first = sl_fork(function, 2);

    sl_task_set_u64(first, 0, (uintptr_t)node->left);
    sl_task_set_u64(first + 1, 0, (uintptr_t)node->right);
}

SL_TASK(preorder, struct node *, node)
{
    if (node != NULL) {
        visit(node);
        fork_children(sl_task_preorder, node);
    }
}

SL_TASK(visit_after, struct node *, node)
{
    visit(node);
}

SL_TASK(postorder, struct node *, node)
{
    if (node != NULL) {
        fork_children(sl_task_postorder, node);
        sl_join_visit_after(node);
    }
}
