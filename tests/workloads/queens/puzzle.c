/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Options of the programs that solve the puzzle by tasks, what follows from them, and the check. */
#include "workloads/queens/puzzle.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/queens/board.h"
#include "workloads/queens/lds.h"

enum { KEY_SERIAL = 256, KEY_COLUMNS, KEY_BASE };

const struct queens_puzzle queens_puzzle_default = {
    .serial = 4, /* papers/001 section 7.1: a base case of 4 x 4 */
    .columns = 4,
    .rounds = 8, /* the best of 4 to 16 */
};

static const struct argp_option option_table[] = {
    {"serial", KEY_SERIAL, "ROWS", 0,
     "Rows left at which a task finishes serially, from 1 (default 4)", 0},
    {"columns", KEY_COLUMNS, "COLUMNS", 0,
     "Columns free in the next row at which a task finishes serially, from 0 (default 4)", 0},
    {"base", KEY_BASE, "FORM", 0,
     "How tasks finish: \"stacks\", each lane by itself, on its stack; \"lds\", the same in LDS; "
     "\"shared\" (default), there, and lanes that are done help others",
     0},
    {0},
};

/* After how many rounds of their search lanes share what is left. */
static uint32_t base_rounds(struct argp_state *state, const char *form)
{
    const struct {
        const char *form;
        uint32_t rounds;
    } bases[] = {{"stacks", 0}, {"lds", UINT32_MAX}, {"shared", queens_puzzle_default.rounds}};

    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        if (strcmp(form, bases[i].form) == 0) {
            return bases[i].rounds;
        }
    }
    argp_error(state, "--base: '%s' is none of stacks, lds and shared", form);
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct queens_puzzle *const puzzle = state->input;
    switch (key) {
    case KEY_SERIAL:
        puzzle->serial = (uint32_t)sl_app_number(state, "--serial", argument, 1, NQUEENS_N_MAX);
        return 0;
    case KEY_COLUMNS:
        puzzle->columns = (uint32_t)sl_app_number(state, "--columns", argument, 0, NQUEENS_N_MAX);
        return 0;
    case KEY_BASE:
        puzzle->rounds = base_rounds(state, argument);
        return 0;
    default:
        return sl_app_n(key, argument, state, NQUEENS_N_MIN, NQUEENS_N_MAX, &puzzle->n);
    }
}

const struct argp queens_puzzle_argp = {.options = option_table, .parser = parse};

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

bool queens_is_right(const struct queens_puzzle *puzzle, const char *program)
{
    const struct nqueens_board empty = {0, 0, 0};
    const uint32_t right = nqueens_enumerate(empty, queens_all_columns(puzzle), puzzle->n, NULL);

    if (puzzle->solutions != right) {
        (void)fprintf(stderr, "%s: wrong: there are %" PRIu32 " solutions\n", program, right);
    }
    return puzzle->solutions == right;
}
