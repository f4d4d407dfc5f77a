/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of nqueens.c: each work-item counts the ways to complete its board, without recursion.
 * Its stack has a frame for each row in which columns are left to try: the board above that row and
 * those columns, four masks of 16 bits. Each round of the loop tries one column, and no branch
 * depends on what comes of it, so that lanes diverge only when one has nothing left to do. The
 * stacks are in LDS, which comes with the launch: 8 bytes for each row to be filled and work-item,
 * those of one row side by side. */
#include "programs/nqueens.h"
#include "wave/sluice_wave.h"

static uint64_t frame_of(const struct nqueens_board *board, uint64_t untried)
{
    return board->columns | board->diagonals << 16 | board->antidiagonals << 32 | untried << 48;
}

static struct nqueens_board board_of(uint64_t frame)
{
    return (struct nqueens_board){
        .columns = frame & 0xffff,
        .diagonals = frame >> 16 & 0xffff,
        .antidiagonals = frame >> 32 & 0xffff,
    };
}

/* `size` where the condition is 1, 0 where it is 0; arithmetic, since a branch would diverge. */
static uint64_t size_if(uint64_t condition, uint64_t size)
{
    return -condition & size;
}

SL_KERNEL void nqueens_kernel(const struct nqueens_board *boards, uint64_t all, uint64_t *solutions)
{
    uint64_t *const stack = (uint64_t *)sl_lds_dynamic() + sl_local_id(0);
    const uint64_t row = sl_group_size(0);
    struct nqueens_board board = boards[sl_global_id(0)];
    uint64_t untried = nqueens_free(&board, all);
    uint64_t count = 0;

    stack[0] = frame_of(&board, untried);
    uint64_t top = size_if(untried != 0, row); /* behind the last frame */
    while (top != 0) {
        const uint64_t frame = stack[top - row];
        board = board_of(frame);
        untried = frame >> 48;
        const uint64_t queen = untried & -untried;
        untried ^= queen;
        stack[top - row] = frame ^ queen << 48;
        top -= size_if(untried == 0, row);

        board = nqueens_place(&board, queen, all);
        untried = nqueens_free(&board, all);
        stack[top] = frame_of(&board, untried);
        top += size_if(untried != 0, row);
        count += board.columns == all;
    }
    count = sl_reduce_add(count);
    if (sl_elect()) {
        sl_atomic_add_u64(solutions, count);
    }
}
