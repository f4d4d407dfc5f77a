/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Counts the ways to put N queens on a board of N x N so that none attacks another, as the Cilk
 * program of the core paper (section 7.1): a task for each free column of the next row, a level of
 * the channel stacks for each row. A task's number of children varies from board to board; its
 * continuation has a place for each. Tasks finish serially where few rows are left, or where few
 * columns are free: the paper's "4x4 sub-section of the chessboard". docs/learn/cilk.md says what
 * other choices cost. Symmetry is not made use of. The kernels are queens_kernel.c. */
#include "workloads/queens/queens.h"

#include "sluice/program.h"
#include "workloads/common/cilk.h"
#include "workloads/common/paper.h"
#include "workloads/common/variant.h"
#include "workloads/queens/puzzle.h"

#define WIDTH_DEFAULT    16384 /* Table 3 */
#define PAPER_N          13    /* Table 3 */
#define PAPER_WAVEFRONTS 1114

struct arguments {
    struct queens_puzzle puzzle;
    uint32_t batch; /* children that a lane reserves at once; 0: all */
    struct cilk_options cilk;
};

static const struct sl_argument table[] = {
    SL_ROWS(struct arguments, puzzle, queens_puzzle_rows),
    SL_ROWS(struct arguments, cilk, cilk_rows),
    VARIANT_ROWS(struct arguments, cilk.channel),
    {"batch", 0, SL_NUMBER, 1, NQUEENS_N_MAX, SL_INTO(struct arguments, batch),
     "Children that a task reserves at once (default: all, up to N)", "CHILDREN"},
    {0},
};

static int build(struct sl_graph_builder *graph, const struct arguments *queens)
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

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const queens = input;
    struct sl_graph_builder *const graph = cilk_begin(soc, &queens->cilk, "queens");
    uint32_t *const result = sl_app_alloc(soc, sizeof *result, 0);

    const struct sl_view root = cilk_root(graph, build(graph, queens));
    SL_FIELD(root, 0, struct queens_task, result) = result;
    SL_FIELD(root, 0, struct queens_task, columns) = 0;
    SL_FIELD(root, 0, struct queens_task, diagonals) = 0;
    SL_FIELD(root, 0, struct queens_task, antidiagonals) = 0;
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        queens->puzzle.solutions = *result;
        sl_app_result("queens(%" PRIu32 ") = %" PRIu32, queens->puzzle.n, *result);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const queens = input;

    return queens_is_right(&queens->puzzle);
}

static void print_paper(const struct sl_soc *soc, const void *input)
{
    const struct arguments *const queens = input;
    if (queens->puzzle.n == PAPER_N && queens->cilk.width == WIDTH_DEFAULT) {
        paper_wavefronts(soc, PAPER_WAVEFRONTS);
    }
}

static const struct sl_app app = {
    .doc = "Count the solutions of the N-queens puzzle as a Cilk program on channel stacks, and "
           "check the count.",
    .table = table,
    .arguments = &(struct arguments){.puzzle = QUEENS_PUZZLE, .cilk.width = WIDTH_DEFAULT},
    .run = run,
    .is_right = is_right,
    .print_after = print_paper,
};
SL_PROGRAM(app)
