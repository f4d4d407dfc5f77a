/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of strassen.c: divide matrices into four sub-matrices down to blocks, multiply each
 * pair of blocks, and combine products by atomic addition (papers/001 section 7.1). Nobody waits
 * for anybody, so that there are no continuations. */
#include "programs/strassen/block.h"
#include "programs/strassen/strassen.h"
#include "wave/sluice_wave.h"

#define CHILDREN 8

/* C_ij += A_ik B_kj */
static void divide(const struct strassen_task *task, struct strassen_task *children)
{
    const uint32_t half = task->n / 2;
    const uint32_t quarter = half * half;

    for (uint32_t child = 0; child < CHILDREN; child++) {
        const uint32_t i = child >> 2, j = child >> 1 & 1, k = child & 1;
        children[child] = (struct strassen_task){.left = task->left + (2 * i + k) * quarter,
                                                 .right = task->right + (2 * k + j) * quarter,
                                                 .product = task->product + (2 * i + j) * quarter,
                                                 .n = half};
    }
}

SL_KERNEL void strassen_multiply(int source, int index)
{
    const struct strassen_task *task = sl_deq(source, index);

    if (task->n == STRASSEN_BLOCK) {
        block_multiply(task->left, task->right, task->product, sl_atomic_accumulate_f32);
    } else {
        const int deeper = sl_stack_deeper(source);
        struct strassen_task *const children = sl_talloc_or_yield(deeper, CHILDREN);
        divide(task, children);
        sl_enq(deeper, children, CHILDREN);
    }
    sl_tfree(source, index);
}
