/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the host program and the kernel of nqueens share: a board whose first rows are filled. Bit c
 * of a mask is column c. */
#ifndef SLUICE_PROGRAMS_NQUEENS_H
#define SLUICE_PROGRAMS_NQUEENS_H

#include <stdint.h>

#define NQUEENS_N_MIN 4
#define NQUEENS_N_MAX 15

/* Columns in which no queen of the next row can be: */
struct nqueens_board {
    uint64_t columns;       /* a queen is in the column */
    uint64_t diagonals;     /* on a diagonal that comes down from the right, to lower columns */
    uint64_t antidiagonals; /* on one that comes down from the left, to higher columns */
};

static inline uint64_t nqueens_free(const struct nqueens_board *board, uint64_t all)
{
    return all & ~(board->columns | board->diagonals | board->antidiagonals);
}

/* The board with a queen in the next row, in the column of this bit. */
static inline struct nqueens_board nqueens_place(const struct nqueens_board *board, uint64_t queen,
                                                 uint64_t all)
{
    return (struct nqueens_board){
        .columns = board->columns | queen,
        .diagonals = (board->diagonals | queen) >> 1,
        .antidiagonals = ((board->antidiagonals | queen) << 1) & all,
    };
}

#endif
