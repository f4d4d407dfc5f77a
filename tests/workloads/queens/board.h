/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A board whose first rows are filled with queens, and the recursion by which the host fills
 * others. Bit c of a mask is column c. */
#ifndef SLUICE_WORKLOADS_QUEENS_BOARD_H
#define SLUICE_WORKLOADS_QUEENS_BOARD_H

#include <stddef.h>
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

/* The boards that come of filling `rows` more rows, put into `boards` unless that is NULL. Returns
 * how many they are: for all rows that are left, the number of solutions. */
static inline uint32_t nqueens_enumerate(struct nqueens_board board, uint64_t all, uint32_t rows,
                                         struct nqueens_board *boards)
{
    if (rows == 0) {
        if (boards != NULL) {
            *boards = board;
        }
        return 1;
    }
    uint32_t count = 0;
    for (uint64_t untried = nqueens_free(&board, all); untried != 0; untried &= untried - 1) {
        const struct nqueens_board next = nqueens_place(&board, untried & -untried, all);
        count += nqueens_enumerate(next, all, rows - 1, boards != NULL ? boards + count : NULL);
    }
    return count;
}

#endif
