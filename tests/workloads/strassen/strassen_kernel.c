/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of strassen.c: divide matrices into four sub-matrices down to blocks, multiply each
 * pair of blocks, and combine products by atomic addition (papers/001 section 7.1). Nobody waits
 * for anybody, so that there are no continuations. */
#include "sluice/wave/wave.h"
#include "workloads/strassen/group.h"
#include "workloads/strassen/strassen_task.h"

SL_KERNEL void strassen_multiply(int source, int index, float *elements)
{
    const struct strassen_task *task = sl_deq(source, index);

    if (task->n == STRASSEN_BLOCK) {
        group_multiply(elements + task->left, elements + task->right, elements + task->product);
    } else {
        const int deeper = sl_stack_deeper(source);
        struct strassen_task *const children = sl_talloc_or_yield(deeper, STRASSEN_CHILDREN);
        const uint32_t half = task->n / 2;
        for (uint32_t child = 0; child < STRASSEN_CHILDREN; child++) {
            children[child] = strassen_child(task, half, child);
        }
        sl_enq(deeper, children, STRASSEN_CHILDREN);
    }
    sl_tfree(source, index);
}
