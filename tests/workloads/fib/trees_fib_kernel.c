/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_fib.c: fork, join and emit, in continuation-passing style (papers/000 section
 * 5.6.1 runs the same program). */
#include "sluice/wave/trees.h"

SL_TASKS(trees_fib, fib, sum)

/* The values of two neighbouring slots. */
SL_TASK(sum, uint32_t, first)
{
    sl_emit_u64(sl_task_u64(first, 0) + sl_task_u64(first + 1, 0));
}

SL_TASK(fib, uint32_t, n)
{
    if (n <= 2) {
        sl_emit_u64(n > 0);
        return;
    }
    const unsigned first = sl_fork(sl_task_fib, 2);
    sl_task_set_u32(first, 0, n - 1);
    sl_task_set_u32(first + 1, 0, n - 2);
    sl_join_sum(first);
}
