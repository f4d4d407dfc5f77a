/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of the second tutorial (docs/learn/cilk.md): the sum of a tree's values. */
#include "sluice/wave/wave.h"
#include "workloads/tree_sum/tree_sum.h"

SL_KERNEL void tree_spawn(int source, int index, int continuations)
{
    const struct tree_task *task = sl_deq(source, index);
    const struct tree_node *const node = task->node;
    uint64_t *const result = task->result;
    const int children = (node->child[0] != NULL) + (node->child[1] != NULL);

    if (children == 0) {
        *result = node->value;
    } else {
        const int level = sl_stack_beside(source, continuations);
        const int deeper = sl_stack_deeper(source);
        struct tree_join *const join = sl_talloc_or_yield(level, 1);
        struct tree_task *const tasks = sl_talloc_or_yield(deeper, children);
        *join = (struct tree_join){.result = result, .value = node->value};
        for (int i = 0, made = 0; i < CHILDREN; i++) {
            if (node->child[i] != NULL) {
                tasks[made++] = (struct tree_task){node->child[i], &join->sum[i]};
            }
        }
        sl_enq(deeper, tasks, children);
        sl_enq(level, join, 1);
    }
    sl_tfree(source, index);
}

SL_KERNEL void tree_sync(int source, int index)
{
    const struct tree_join *join = sl_deq(source, index);

    *join->result = join->value + join->sum[0] + join->sum[1];
    sl_tfree(source, index);
}
