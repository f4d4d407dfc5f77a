/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Counts the ways to put N queens on a board of N x N so that none attacks another, as the Cilk
 * program of the core paper (section 7.1): a task for each free column of the next row, a level of
 * the channel stacks for each row. A task's number of children varies from board to board; its
 * continuation has a place for each. Tasks finish serially where few rows are left, or where few
 * columns are free: the paper's "4x4 sub-section of the chessboard". docs/cilk.md says what other
 * choices cost. Symmetry is not made use of. The kernels are queens_kernel.c. */
#include "programs/queens.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/sluice.h"
#include "programs/common/cilk.h"
#include "programs/common/options.h"
#include "programs/common/program.h"
#include "programs/common/report.h"
#include "programs/common/variant.h"
#include "programs/queens_search.h"

#define WIDTH_DEFAULT    16384 /* Table 3 */
#define SERIAL_DEFAULT   4     /* section 7.1: a base case of 4 x 4 */
#define SHARED_DEFAULT   8     /* rounds: the best of 4 to 16 */
#define PAPER_N          13    /* Table 3 */
#define PAPER_WAVEFRONTS 1114

enum { KEY_SERIAL = 's' + 256, KEY_COLUMNS, KEY_BATCH, KEY_BASE };

struct queens_arguments {
    uint32_t n;
    uint32_t serial;  /* a task with so many rows left, or fewer, finishes serially; */
    uint32_t columns; /* so does one with so many columns free in its next row, or fewer */
    uint32_t batch;   /* children that a lane reserves at once; 0: all */
    uint32_t rounds;  /* of the base case */
    struct cilk_options cilk;
    uint32_t solutions; /* the result */
};

static const struct argp_option queens_option_table[] = {
    {"serial", KEY_SERIAL, "ROWS", 0,
     "Rows left at which a task finishes serially, from 1 (default 4)", 0},
    {"columns", KEY_COLUMNS, "COLUMNS", 0,
     "Columns free in the next row at which a task finishes serially, from 0 (default 4)", 0},
    {"batch", KEY_BATCH, "CHILDREN", 0,
     "Children that a task reserves at once (default: all, up to N)", 0},
    {"base", KEY_BASE, "FORM", 0,
     "How tasks finish: \"stacks\", each lane by itself, on its stack; \"lds\", the same in LDS; "
     "\"shared\" (default), there, and lanes that are done help others",
     0},
    {0},
};

/* After how many rounds of their search lanes share what is left: the kernel's last argument. */
static uint32_t base_rounds(struct argp_state *state, const char *form)
{
    static const struct {
        const char *form;
        uint32_t rounds;
    } bases[] = {{"stacks", 0}, {"lds", UINT32_MAX}, {"shared", SHARED_DEFAULT}};

    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        if (strcmp(form, bases[i].form) == 0) {
            return bases[i].rounds;
        }
    }
    argp_error(state, "--base: '%s' is none of stacks, lds and shared", form);
    return 0;
}

static error_t parse_queens(int key, char *argument, struct argp_state *state)
{
    struct queens_arguments *const queens = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &queens->cilk;
        return 0;
    case KEY_SERIAL:
        queens->serial = (uint32_t)options_number(state, "--serial", argument, 1, NQUEENS_N_MAX);
        return 0;
    case KEY_COLUMNS:
        queens->columns = (uint32_t)options_number(state, "--columns", argument, 0, NQUEENS_N_MAX);
        return 0;
    case KEY_BATCH:
        queens->batch = (uint32_t)options_number(state, "--batch", argument, 1, NQUEENS_N_MAX);
        return 0;
    case KEY_BASE:
        queens->rounds = base_rounds(state, argument);
        return 0;
    default:
        return options_n(key, argument, state, NQUEENS_N_MIN, NQUEENS_N_MAX, &queens->n);
    }
}

static const struct argp_child queens_children[] = {{&cilk_argp, 0, NULL, 0}, {0}};
static const struct argp queens_argp = {
    .options = queens_option_table,
    .parser = parse_queens,
    .args_doc = "N",
    .doc = "Count the solutions of the N-queens puzzle as a Cilk program on channel stacks, and "
           "check the count.\vN is from 4 to 15. The exit status is 0 where the result is right, 1 "
           "where it is wrong, 2 for a wrong usage or configuration, 3 where the machine failed.",
    .children = queens_children,
};

static uint64_t all_columns(const struct queens_arguments *queens)
{
    return (1ull << queens->n) - 1;
}

/* The level from which on all tasks finish serially: by then so many rows are filled that few are
 * left, or that few columns can be free. */
static uint32_t small_level(const struct queens_arguments *queens)
{
    const uint32_t small = queens->serial > queens->columns ? queens->serial : queens->columns;
    return queens->n > small ? queens->n - small : 0;
}

/* A queen attacks three columns of a row at most: no board can have few columns free before this
 * level, and none finishes serially. From there on the stacks have a row for each of the board. */
static uint32_t lds_bytes(const struct queens_arguments *queens)
{
    const uint32_t few = queens->n > queens->columns ? (queens->n - queens->columns + 2) / 3 : 0;
    const uint32_t level = few < small_level(queens) ? few : small_level(queens);
    return (uint32_t)(sizeof(struct queens_lds) + (queens->n - level) * sizeof(struct queens_row));
}

static int build(struct sl_graph_builder *graph, const struct queens_arguments *queens)
{
    const uint32_t levels = small_level(queens) + 1;
    const uint32_t batch =
        queens->batch != 0 && queens->batch < queens->n ? queens->batch : queens->n;
    int spawn;
    int sync;

    const int tasks = cilk_tasks(graph, &queens->cilk, "tasks", sizeof(struct queens_task), levels,
                                 "queens_spawn", &spawn);
    const int joins = cilk_joins(graph, &queens->cilk, "continuations", sizeof(struct queens_join),
                                 levels, "queens_sync", &sync);
    sl_graph_argument(graph, spawn, 2, (uint64_t)joins);
    sl_graph_argument(graph, spawn, 3, all_columns(queens));
    sl_graph_argument(graph, spawn, 4, small_level(queens));
    sl_graph_argument(graph, spawn, 5, queens->columns);
    sl_graph_argument(graph, spawn, 6, batch);
    sl_graph_argument(graph, spawn, 7, queens->rounds);
    if (queens->rounds != 0) {
        sl_graph_lds(graph, spawn, lds_bytes(queens));
    }
    sl_graph_output_stack(graph, spawn, tasks, batch, 1);
    sl_graph_output_stack(graph, spawn, joins, 1, 0);
    return tasks;
}

static enum sl_status run_queens(struct sl_soc *soc, void *arguments)
{
    struct queens_arguments *const queens = arguments;
    struct sl_graph_builder *graph;

    char file[32];
    enum sl_status status = cilk_begin(
        soc, &queens->cilk,
        variant_file("queens", queens->cilk.channel.flags, true, file, sizeof file), &graph);
    if (status != SL_OK) {
        return status;
    }
    uint32_t *const result = sl_alloc(soc, sizeof *result, 0);
    if (result == NULL) {
        return SL_ERROR_USAGE;
    }
    struct cilk_root root;
    status = cilk_root_make(graph, build(graph, queens), &root);
    if (status != SL_OK) {
        return status;
    }
    SL_FIELD(root.view, 0, struct queens_task, result) = result;
    SL_FIELD(root.view, 0, struct queens_task, columns) = 0;
    SL_FIELD(root.view, 0, struct queens_task, diagonals) = 0;
    SL_FIELD(root.view, 0, struct queens_task, antidiagonals) = 0;
    status = cilk_root_run(soc, graph, &root);
    if (status == SL_OK) {
        queens->solutions = *result;
        report_result("queens(%" PRIu32 ") = %" PRIu32, queens->n, queens->solutions);
    }
    return status;
}

static bool is_right(const void *arguments)
{
    const struct queens_arguments *const queens = arguments;
    const struct nqueens_board empty = {0, 0, 0};
    const uint32_t right = nqueens_enumerate(empty, all_columns(queens), queens->n, NULL);

    if (queens->solutions != right) {
        (void)fprintf(stderr, "queens: wrong: there are %" PRIu32 " solutions\n", right);
    }
    return queens->solutions == right;
}

static uint64_t paper_wavefronts(const void *arguments)
{
    const struct queens_arguments *const queens = arguments;
    return queens->n == PAPER_N && queens->cilk.width == WIDTH_DEFAULT ? PAPER_WAVEFRONTS : 0;
}

int main(int argc, char **argv)
{
    struct queens_arguments queens = {
        .serial = SERIAL_DEFAULT,
        .columns = SERIAL_DEFAULT,
        .rounds = SHARED_DEFAULT,
        .cilk = {.width = WIDTH_DEFAULT, .has_forms = true},
    };
    const struct program program = {
        .argp = &queens_argp,
        .arguments = &queens,
        .run = run_queens,
        .is_right = is_right,
        .paper_wavefronts = paper_wavefronts,
    };

    return program_main(&program, argc, argv);
}
