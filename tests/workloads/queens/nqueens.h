/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the host programs and kernels of nqueens and queens share: boards (board.h), and a
 * loop for lanes that fills their rows. */
#ifndef SLUICE_WORKLOADS_QUEENS_NQUEENS_H
#define SLUICE_WORKLOADS_QUEENS_NQUEENS_H

#include <stdint.h>

#include "workloads/queens/board.h"

static inline uint64_t nqueens_frame(const struct nqueens_board *board, uint64_t untried)
{
    return board->columns | board->diagonals << 16 | board->antidiagonals << 32 | untried << 48;
}

static inline struct nqueens_board nqueens_board_of(uint64_t frame)
{
    return (struct nqueens_board){
        .columns = frame & 0xffff,
        .diagonals = frame >> 16 & 0xffff,
        .antidiagonals = frame >> 32 & 0xffff,
    };
}

/* `size` where the condition is 1, 0 where it is 0; arithmetic, since a branch would diverge. */
static inline uint64_t nqueens_size_if(uint64_t condition, uint64_t size)
{
    return -condition & size;
}

/* The solutions that a board has, found without recursion. The stack has a frame for each row in
 * which columns are left to try: the board above that row and those columns, four masks of 16 bits.
 * Frames are `row` words apart, as many as rows are left. Each round of the loop tries one column,
 * and no branch depends on what comes of it, so that lanes diverge only when one has nothing left
 * to do. */
static inline uint32_t nqueens_solutions(struct nqueens_board board, uint64_t all, uint64_t *stack,
                                         uint64_t row)
{
    uint64_t untried = nqueens_free(&board, all);
    uint32_t count = 0;

    stack[0] = nqueens_frame(&board, untried);
    uint64_t top = nqueens_size_if(untried != 0, row); /* behind the last frame */
    while (top != 0) {
        const uint64_t frame = stack[top - row];
        board = nqueens_board_of(frame);
        untried = frame >> 48;
        const uint64_t queen = untried & -untried;
        untried ^= queen;
        stack[top - row] = frame ^ queen << 48;
        top -= nqueens_size_if(untried == 0, row);

        board = nqueens_place(&board, queen, all);
        untried = nqueens_free(&board, all);
        stack[top] = nqueens_frame(&board, untried);
        top += nqueens_size_if(untried != 0, row);
        count += board.columns == all;
    }
    return count;
}

#endif
