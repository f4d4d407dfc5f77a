/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Counts the ways to put N queens on a board of N x N so that none attacks another, as the Cilk
 * program of the core paper (section 7.1): a task for each free column of the next row, a level of
 * the channel stacks for each row. A task's number of children varies from board to board; its
 * continuation has a place for each. Tasks finish serially where few rows are left, or where few
 * columns are free: the paper's "4x4 sub-section of the chessboard". docs/learn/cilk.md says what
 * other choices cost. Symmetry is not made use of. The kernels are queens_kernel.c. */
#include "workloads/queens/queens.h"

#include <inttypes.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/cilk.h"
#include "workloads/common/paper.h"
#include "workloads/common/variant.h"
#include "workloads/queens/puzzle.h"

#define WIDTH_DEFAULT    16384 /* Table 3 */
#define PAPER_N          13    /* Table 3 */
#define PAPER_WAVEFRONTS 1114

enum { KEY_BATCH = 256 };

struct queens_arguments {
    struct queens_puzzle puzzle;
    uint32_t batch; /* children that a lane reserves at once; 0: all */
    struct cilk_options cilk;
};

static const struct argp_option queens_option_table[] = {
    {"batch", KEY_BATCH, "CHILDREN", 0,
     "Children that a task reserves at once (default: all, up to N)", 0},
    {0},
};

static error_t parse_queens(int key, char *argument, struct argp_state *state)
{
    struct queens_arguments *const queens = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &queens->puzzle;
        state->child_inputs[1] = &queens->cilk;
        return 0;
    case KEY_BATCH:
        queens->batch = (uint32_t)sl_app_number(state, "--batch", argument, 1, NQUEENS_N_MAX);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child queens_children[] = {
    {&queens_puzzle_argp, 0, NULL, 0}, {&cilk_argp, 0, NULL, 0}, {0}};
static const struct argp queens_argp = {
    .options = queens_option_table,
    .parser = parse_queens,
    .args_doc = "N",
    .doc = "Count the solutions of the N-queens puzzle as a Cilk program on channel stacks, and "
           "check the count.\vN is from 4 to 15. The exit status is 0 where the result is right, 1 "
           "where it is wrong, 2 for a wrong usage or configuration, 3 where the machine failed.",
    .children = queens_children,
};

static int build(struct sl_graph_builder *graph, const struct queens_arguments *queens)
{
    const struct queens_puzzle *const puzzle = &queens->puzzle;
    const uint32_t levels = queens_small_level(puzzle) + 1;
    const uint32_t batch =
        queens->batch != 0 && queens->batch < puzzle->n ? queens->batch : puzzle->n;
    int spawn;
    int sync;

    const int tasks = cilk_tasks(graph, &queens->cilk, "tasks", sizeof(struct queens_task), levels,
                                 "queens_spawn", &spawn);
    const int joins = cilk_joins(graph, &queens->cilk, "continuations", sizeof(struct queens_join),
                                 levels, "queens_sync", &sync);
    sl_graph_argument(graph, spawn, 2, (uint64_t)joins);
    sl_graph_argument(graph, spawn, 3, queens_all_columns(puzzle));
    sl_graph_argument(graph, spawn, 4, queens_small_level(puzzle));
    sl_graph_argument(graph, spawn, 5, puzzle->columns);
    sl_graph_argument(graph, spawn, 6, batch);
    sl_graph_argument(graph, spawn, 7, puzzle->rounds);
    if (puzzle->rounds != 0) {
        sl_graph_lds(graph, spawn, queens_lds_bytes(puzzle));
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
        queens->puzzle.solutions = *result;
        sl_app_result("queens(%" PRIu32 ") = %" PRIu32, queens->puzzle.n, *result);
    }
    return status;
}

static bool is_right(const void *arguments)
{
    const struct queens_arguments *const queens = arguments;

    return queens_is_right(&queens->puzzle, "queens");
}

static void print_paper(const struct sl_soc *soc, const void *arguments)
{
    const struct queens_arguments *const queens = arguments;
    if (queens->puzzle.n == PAPER_N && queens->cilk.width == WIDTH_DEFAULT) {
        paper_wavefronts(soc, PAPER_WAVEFRONTS);
    }
}

int main(int argc, char **argv)
{
    struct queens_arguments queens = {
        .puzzle = queens_puzzle_default,
        .cilk = {.width = WIDTH_DEFAULT, .has_forms = true},
    };
    const struct sl_app app = {
        .argp = &queens_argp,
        .arguments = &queens,
        .run = run_queens,
        .is_right = is_right,
        .print_after = print_paper,
    };

    return sl_app_main(&app, argc, argv);
}
