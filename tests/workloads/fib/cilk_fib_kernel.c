/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of cilk_fib.c: a Cilk function split at its sync (papers/001 section 5.2).
 *
 *     cilk int fib(int n)                       fib_spawn: a task n, and where its result goes
 *     {                                             n <= 2: the result is 1
 *         if (n <= 2) return 1;                     else: a continuation at the task's level, two
 *         int x = spawn fib(n - 1);                 tasks one level deeper, whose results go into
 *         int y = spawn fib(n - 2);                 the continuation
 *         sync;
 *         return x + y;                         fib_sync: a continuation: the result is x + y
 *     }
 *
 * The continuation's element is reserved first and published last, so that it exists before its
 * children can write to it, and cannot run before they are known. */
#include "sluice/wave/wave.h"
#include "workloads/fib/cilk_fib.h"

SL_KERNEL void fib_spawn(int source, int index, int continuations)
{
    const struct fib_task *task = sl_deq(source, index);
    const uint32_t n = task->n;
    uint64_t *const result = task->result;

    if (n <= 2) {
        *result = 1;
    } else {
        const int level = sl_stack_beside(source, continuations);
        const int deeper = sl_stack_deeper(source);
        struct fib_join *const join = sl_talloc_or_yield(level, 1);
        struct fib_task *const children = sl_talloc_or_yield(deeper, 2);
        join->result = result;
        children[0] = (struct fib_task){.n = n - 1, .result = &join->value[0]};
        children[1] = (struct fib_task){.n = n - 2, .result = &join->value[1]};
        sl_enq(deeper, children, 2);
        sl_enq(level, join, 1);
    }
    sl_tfree(source, index);
}

SL_KERNEL void fib_sync(int source, int index)
{
    const struct fib_join *join = sl_deq(source, index);

    *join->result = join->value[0] + join->value[1];
    sl_tfree(source, index);
}
