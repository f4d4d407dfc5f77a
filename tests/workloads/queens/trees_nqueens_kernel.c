/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_nqueens.c: the function of queens_kernel.c by fork, join and emit. A task has
 * its board as a frame of nqueens.h, with the number of rows that are filled in place of the
 * columns that are untried. */
#include "sluice/wave/trees.h"
#include "workloads/queens/nqueens.h"
#include "workloads/queens/queens.h"
#include "workloads/queens/queens_search.h"
#include "workloads/queens/trees_nqueens.h"

SL_TASKS(trees_nqueens, place, sum)

SL_TASK(sum, uint32_t, first, uint32_t, children)
{
    uint32_t solutions = 0;

    for (uint32_t i = 0; i < children; i++) {
        solutions += sl_task_u32(first + i, 0);
    }
    sl_emit_u32(solutions);
}

/* All lanes take part in the search, which therefore comes last. */
SL_TASK(place, uint64_t, frame, const struct nqueens_rules *, rules)
{
    const struct nqueens_board board = nqueens_board_of(frame);
    const uint64_t filled = frame >> 48;
    uint64_t untried = nqueens_free(&board, rules->all);
    const uint32_t children = queens_count(untried);
    const bool is_small = filled >= rules->small_level || children <= rules->columns;

    if (!is_small) {
        const unsigned first = sl_fork(sl_task_place, children);
        for (uint32_t i = 0; i < children; i++) {
            const struct nqueens_board next = nqueens_place(&board, untried & -untried, rules->all);
            untried &= untried - 1;
            sl_task_set_u64(first + i, 0, nqueens_frame(&next, filled + 1));
            sl_task_set_u64(first + i, 2, (uintptr_t)rules);
        }
        sl_join_sum(first, children);
    }
    char *const lds = (char *)sl_lds_dynamic() + sl_group_wavefront_id() * rules->lds_bytes;
    const uint32_t solutions = queens_finish(lds, &board, untried, rules->all, rules->rounds);
    if (is_small) {
        sl_emit_u32(solutions);
    }
}
