/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_matmul.c: the function of strassen_kernel.c by forks. Nobody waits for
 * anybody, so that there are no joins: an epoch for each level. */
#include "sluice/wave/trees.h"
#include "workloads/strassen/group.h"
#include "workloads/strassen/strassen_task.h"

SL_TASKS(trees_matmul, multiply)

SL_TASK(multiply, float *, elements, uint32_t, left, uint32_t, right, uint32_t, product, uint32_t,
        n)
{
    if (n == STRASSEN_BLOCK) {
        group_multiply(elements + left, elements + right, elements + product);
        return;
    }
    const struct strassen_task task = {left, right, product, n};
    const unsigned first = sl_fork(sl_task_multiply, STRASSEN_CHILDREN);
    for (uint32_t i = 0; i < STRASSEN_CHILDREN; i++) {
        const struct strassen_task child = strassen_child(&task, n / 2, i);
        sl_task_set_u64(first + i, 0, (uintptr_t)elements);
        sl_task_set_u32(first + i, 2, child.left);
        sl_task_set_u32(first + i, 3, child.right);
        sl_task_set_u32(first + i, 4, child.product);
        sl_task_set_u32(first + i, 5, child.n);
    }
}
