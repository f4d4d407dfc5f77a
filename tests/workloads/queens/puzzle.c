/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Options of the programs that solve the puzzle by tasks, what follows from them, and the check. */
#include "workloads/queens/puzzle.h"

#include "sluice/program.h"
#include "workloads/queens/board.h"
#include "workloads/queens/lds.h"

/* After how many rounds of their search lanes share what is left. */
static void take_base(const char *what, const char *form, void *field)
{
    static const uint32_t rounds[] = {0, UINT32_MAX, QUEENS_ROUNDS};
    *(uint32_t *)field = rounds[sl_argument_choice(what, form, "stacks|lds|shared")];
}

const struct sl_argument queens_puzzle_rows[] = {
    {"N", 0, SL_NUMBER, NQUEENS_N_MIN, NQUEENS_N_MAX, SL_INTO(struct queens_puzzle, n)},
    {"serial", 0, SL_NUMBER, 1, NQUEENS_N_MAX, SL_INTO(struct queens_puzzle, serial),
     "Rows left at which a task finishes serially", "ROWS"},
    {"columns", 0, SL_NUMBER, 0, NQUEENS_N_MAX, SL_INTO(struct queens_puzzle, columns),
     "Columns free in the next row at which a task finishes serially", "COLUMNS"},
    {"base", 0, SL_TAKE, 0, 0, SL_INTO(struct queens_puzzle, rounds),
     "How tasks finish: \"stacks\", each lane by itself, on its stack; \"lds\", the same in LDS; "
     "\"shared\" (default), there, and lanes that are done help others",
     "FORM", take_base},
    {0},
};

uint64_t queens_all_columns(const struct queens_puzzle *puzzle)
{
    return (1ull << puzzle->n) - 1;
}

uint32_t queens_small_level(const struct queens_puzzle *puzzle)
{
    const uint32_t small = puzzle->serial > puzzle->columns ? puzzle->serial : puzzle->columns;
    return puzzle->n > small ? puzzle->n - small : 0;
}

/* A queen attacks three columns of a row at most: no board can have few columns free before this
 * level, and none finishes serially. From there on the stacks have a row for each of the board. */
uint32_t queens_lds_bytes(const struct queens_puzzle *puzzle)
{
    const uint32_t n = puzzle->n;
    const uint32_t few = n > puzzle->columns ? (n - puzzle->columns + 2) / 3 : 0;
    const uint32_t small = queens_small_level(puzzle);
    const uint32_t level = few < small ? few : small;
    return puzzle->rounds == 0
               ? 0
               : (uint32_t)(sizeof(struct queens_lds) + (n - level) * sizeof(struct queens_row));
}

bool queens_is_right(const struct queens_puzzle *puzzle)
{
    const struct nqueens_board empty = {0, 0, 0};
    const uint32_t right = nqueens_enumerate(empty, queens_all_columns(puzzle), puzzle->n, NULL);

    return sl_app_check(puzzle->solutions == right, "there are %" PRIu32 " solutions", right);
}
