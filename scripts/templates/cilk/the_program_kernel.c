/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of the_program: a Cilk function, split at its sync.
 *
 *     cilk struct sums sums(values, count)       spawn_kernel: a task
 *     {
 *         if (count <= LEAF) return in a loop;
 *         l = spawn sums(left half);             two tasks in the channel one level deeper
 *         r = spawn sums(right half);
 *         sync;                                  a continuation in the channel of this level
 *         return together(l, r);                 sync_kernel: runs when both are done
 *     }
 *
 * Here nothing returns: a result is stored where the task says. docs/learn/cilk.md explains the
 * order of the steps. */
#include <sluice/wave/wave.h>

#include "the_program.h"

static int64_t largest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static struct sums together(struct sums l, struct sums r)
{
    return (struct sums){
        .all = l.all + r.all,
        .left = largest(l.left, l.all + r.left),
        .right = largest(r.right, r.all + l.right),
        .best = largest(largest(l.best, r.best), l.right + r.left),
    };
}

static struct sums in_a_loop(const int32_t *values, uint32_t count)
{
    struct sums sums = {values[0], values[0], values[0], values[0]};

    for (uint32_t i = 1; i < count; i++) {
        const int64_t value = values[i];
        sums = together(sums, (struct sums){value, value, value, value});
    }
    return sums;
}

SL_KERNEL void spawn_kernel(int source, int index, int continuations)
{
    const struct task *const own = sl_deq(source, index);
    const struct task task = *own;

    if (task.count <= LEAF) {
        *task.result = in_a_loop(task.values, task.count);
    } else {
        const int level = sl_stack_beside(source, continuations);
        const int deeper = sl_stack_deeper(source);
        const uint32_t half = task.count / 2;
        /* Space first, the continuation's and then the children's. Where there is none, the
         * wavefront waits here and others go on. */
        struct join *const join = sl_talloc_or_yield(level, 1);
        struct task *const child = sl_talloc_or_yield(deeper, CHILDREN);

        join->result = task.result;
        child[0] = (struct task){task.values, &join->part[0], half};
        child[1] = (struct task){task.values + half, &join->part[1], task.count - half};
        sl_enq(deeper, child, CHILDREN);
        sl_enq(level, join, 1); /* last: it may run as soon as nothing deeper is left */
    }
    sl_tfree(source, index);
}

SL_KERNEL void sync_kernel(int source, int index)
{
    const struct join *const join = sl_deq(source, index);

    *join->result = together(join->part[0], join->part[1]);
    sl_tfree(source, index);
}
