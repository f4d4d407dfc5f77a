/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of queens.c: a Cilk function whose number of children varies, split at its sync
 * (papers/001 section 5.2).
 *
 *     cilk int queens(board)                    queens_spawn: a board, and where its count goes
 *     {                                             small: the count, found by a search, which
 *         if (board is small) return solutions;     comes last, as all lanes take part in it
 *         for (each free column of the next row)    else: a continuation at the task's level, and
 *             value[i++] = spawn queens(next);      a task one level deeper for each free column,
 *         sync;                                     with a place of its own in the continuation
 *         return sum of value;                  queens_sync: a continuation: the sum
 *     }
 *
 * Children are reserved and published in batches: a wavefront that waits for space for one batch
 * has published those before it, and its continuation is published after the last. */
#include "sluice/wave/wave.h"
#include "workloads/queens/queens.h"
#include "workloads/queens/queens_search.h"

SL_KERNEL void queens_spawn(int source, int index, int continuations, uint64_t all,
                            uint32_t small_level, uint32_t small_columns, uint32_t batch,
                            uint32_t rounds)
{
    const struct queens_task *task = sl_deq(source, index);
    const struct nqueens_board board = {task->columns, task->diagonals, task->antidiagonals};
    uint32_t *const result = task->result;
    uint64_t untried = nqueens_free(&board, all);
    const uint32_t children = queens_count(untried);
    const bool is_small = sl_stack_level(source) >= small_level || children <= small_columns;

    if (!is_small) {
        const int level = sl_stack_beside(source, continuations);
        const int deeper = sl_stack_deeper(source);
        struct queens_join *const join = sl_talloc_or_yield(level, 1);
        join->result = result;
        join->children = children;
        for (uint32_t done = 0; done < children; done += batch) {
            const uint32_t now = children - done < batch ? children - done : batch;
            struct queens_task *const child = sl_talloc_or_yield(deeper, (int)now);
            for (uint32_t i = 0; i < now; i++) {
                const struct nqueens_board next = nqueens_place(&board, untried & -untried, all);
                untried &= untried - 1;
                child[i] = (struct queens_task){.result = &join->value[done + i],
                                                .columns = (uint16_t)next.columns,
                                                .diagonals = (uint16_t)next.diagonals,
                                                .antidiagonals = (uint16_t)next.antidiagonals};
            }
            sl_enq(deeper, child, (int)now);
        }
        sl_enq(level, join, 1);
    }
    const uint32_t solutions = queens_finish(sl_lds_dynamic(), &board, untried, all, rounds);
    if (is_small) {
        *result = solutions;
    }
    sl_tfree(source, index);
}

SL_KERNEL void queens_sync(int source, int index)
{
    const struct queens_join *join = sl_deq(source, index);
    uint32_t sum = 0;

    for (uint32_t i = 0; i < join->children; i++) {
        sum += join->value[i];
    }
    *join->result = sum;
    sl_tfree(source, index);
}
