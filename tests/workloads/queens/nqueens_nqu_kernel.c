/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of nqueens.c in style nqu: the algorithm of GPGPU-Sim's benchmark NQU, with which the
 * core paper compares its Queens (Table 4). A level is a row to be filled; for each, LDS has four
 * masks: the columns taken, those on diagonals either way, and those that are not to be tried,
 * because they are one of these or have been. Branches decide whether a column is left, whether it
 * was the last row, and how the level changes. As there, the masks of a work-item lie together. */
#include "sluice/wave/wave.h"
#include "workloads/queens/board.h"

SL_KERNEL void nqueens_kernel(const struct nqueens_board *boards, uint32_t all, uint64_t *solutions,
                              int rows)
{
    const uint32_t words = sl_group_size(0) * (uint32_t)rows;
    uint32_t *const columns = (uint32_t *)sl_lds_dynamic() + sl_local_id(0) * (uint32_t)rows;
    uint32_t *const diagonals = columns + words;
    uint32_t *const antidiagonals = diagonals + words;
    uint32_t *const tried = antidiagonals + words;
    const struct nqueens_board *const board = &boards[sl_global_id(0)];
    uint32_t count = 0;

    columns[0] = (uint32_t)board->columns;
    diagonals[0] = (uint32_t)board->diagonals;
    antidiagonals[0] = (uint32_t)board->antidiagonals;
    tried[0] = columns[0] | diagonals[0] | antidiagonals[0];
    for (int level = 0; level >= 0;) {
        const uint32_t untried = all & ~tried[level];
        if (untried == 0) {
            level--;
            continue;
        }
        const uint32_t queen = untried & -untried;
        tried[level] |= queen;
        if (level + 1 == rows) {
            count++;
            level--;
        } else {
            columns[level + 1] = columns[level] | queen;
            diagonals[level + 1] = (diagonals[level] | queen) >> 1;
            antidiagonals[level + 1] = (antidiagonals[level] | queen) << 1;
            level++;
            tried[level] = columns[level] | diagonals[level] | antidiagonals[level];
        }
    }
    const uint64_t sum = sl_reduce_add((uint64_t)count);
    if (sl_elect()) {
        sl_atomic_add_u64(solutions, sum);
    }
}
