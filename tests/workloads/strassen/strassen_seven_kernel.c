/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of strassen.c's variant with seven products: a Cilk function with three syncs, each
 * of which begins another kernel (papers/001 section 5.2).
 *
 *     cilk void multiply(task)              seven_begin: a task
 *     {
 *         if (n == 16) { ...; return; }         a block: multiplied by this lane
 *         spawn add(sums);                      else: one part of its sums, one level deeper, and
 *         sync;                                 a continuation
 *         spawn multiply(product 1);        seven_multiply: that continuation: seven tasks, one
 *         ... spawn multiply(product 7);        level deeper, and a second continuation
 *         sync;
 *         spawn add(combinations);          seven_join: the second continuation: one part of what
 *         sync;                                 is left to add, one level deeper
 *     }                                     there is nothing to do behind the last sync
 *
 * Matrices are too large to be added by one lane: parts of additions are split eight-fold, a level
 * deeper each time, until adjacent lanes have adjacent places (seven_add_sums, seven_add_products).
 */
#include "sluice/wave/wave.h"
#include "workloads/strassen/block.h"
#include "workloads/strassen/seven.h"

/* A part that stands for all additions of a task. */
static struct seven_part whole(const struct seven_task *task)
{
    return (struct seven_part){.task = *task, .first = 0, .span = seven_parts(task->n)};
}

SL_KERNEL void seven_begin(int source, int index, int sums, int multiplications)
{
    const struct seven_task *task = sl_deq(source, index);

    if (task->n == STRASSEN_BLOCK) {
        block_multiply(task->left, task->right, task->product);
    } else {
        const int level = sl_stack_beside(source, multiplications);
        const int deeper = sl_stack_deeper(sl_stack_beside(source, sums));
        struct seven_task *const next = sl_talloc_or_yield(level, 1);
        struct seven_part *const part = sl_talloc_or_yield(deeper, 1);
        *next = *task;
        *part = whole(task);
        sl_enq(deeper, part, 1);
        sl_enq(level, next, 1);
    }
    sl_tfree(source, index);
}

SL_KERNEL void seven_multiply(int source, int index, int tasks, int joins)
{
    const struct seven_task *task = sl_deq(source, index);
    const int level = sl_stack_beside(source, joins);
    const int deeper = sl_stack_deeper(sl_stack_beside(source, tasks));
    struct seven_task *const next = sl_talloc_or_yield(level, 1);
    struct seven_task *const children = sl_talloc_or_yield(deeper, SEVEN_PRODUCTS);

    *next = *task;
    for (uint32_t p = 0; p < SEVEN_PRODUCTS; p++) {
        children[p] = seven_child(task, p);
    }
    sl_enq(deeper, children, SEVEN_PRODUCTS);
    sl_enq(level, next, 1);
    sl_tfree(source, index);
}

SL_KERNEL void seven_join(int source, int index, int combinations)
{
    const struct seven_task *task = sl_deq(source, index);
    const int deeper = sl_stack_deeper(sl_stack_beside(source, combinations));
    struct seven_part *const part = sl_talloc_or_yield(deeper, 1);

    *part = whole(task);
    sl_enq(deeper, part, 1);
    sl_tfree(source, index);
}

static inline void add_part(int source, int index,
                            void (*add)(const struct seven_task *task, uint32_t place))
{
    const struct seven_part *part = sl_deq(source, index);

    if (part->span > 1) {
        const int deeper = sl_stack_deeper(source);
        struct seven_part *const parts = sl_talloc_or_yield(deeper, SEVEN_SPLIT);
        const uint32_t span = part->span / SEVEN_SPLIT;
        for (uint32_t i = 0; i < SEVEN_SPLIT; i++) {
            parts[i] = (struct seven_part){part->task, part->first + i * span, span};
        }
        sl_enq(deeper, parts, SEVEN_SPLIT);
    } else {
        const struct seven_task task = part->task;
        const uint32_t stride = seven_parts(task.n);
        for (uint32_t place = part->first; place < seven_quarter(task.n); place += stride) {
            add(&task, place);
        }
    }
    sl_tfree(source, index);
}

SL_KERNEL void seven_add_sums(int source, int index)
{
    add_part(source, index, seven_sum);
}

SL_KERNEL void seven_add_products(int source, int index)
{
    add_part(source, index, seven_combine);
}
