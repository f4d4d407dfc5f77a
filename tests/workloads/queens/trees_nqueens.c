/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Counts the ways to put N queens on a board of N x N so that none attacks another, on a task
 * vector (docs/know/trees.md; papers/000 section 5.6 has it among its programs): what queens.c does
 * on channel stacks, with the same tasks and the same base case. Its kernel is
 * trees_nqueens_kernel.c.
 */
#include "workloads/queens/trees_nqueens.h"

#include "sluice/program.h"
#include "workloads/common/trees.h"
#include "workloads/queens/nqueens.h"
#include "workloads/queens/puzzle.h"
#include "workloads/queens/queens.h"

/* As the kernel's SL_TASKS() numbers them. */
enum { PLACE = 1, FUNCTIONS = 2 };

struct arguments {
    struct queens_puzzle puzzle;
    struct trees_options trees;
};

static const struct sl_argument table[] = {
    SL_ROWS(struct arguments, puzzle, queens_puzzle_rows),
    SL_ROWS(struct arguments, trees, trees_rows),
    {0},
};

/* As many as there are tasks: no slot is freed before its parent has read it. */
static uint32_t slots(const struct nqueens_rules *rules, const struct nqueens_board *board,
                      uint32_t filled)
{
    const uint64_t open = nqueens_free(board, rules->all);
    uint32_t all = 1;

    if (filled >= rules->small_level || queens_count(open) <= rules->columns) {
        return all;
    }
    for (uint64_t untried = open; untried != 0; untried &= untried - 1) {
        const struct nqueens_board next = nqueens_place(board, untried & -untried, rules->all);
        all += slots(rules, &next, filled + 1);
    }
    return all;
}

/* LDS of a work-group: that of its wavefronts. */
static uint32_t group_lds_bytes(const struct sl_soc *soc, const struct arguments *arguments)
{
    const uint32_t lanes = (uint32_t)sl_soc_config(soc)->number[SL_CFG_GPU_LANES];
    return (arguments->trees.group + lanes - 1) / lanes * queens_lds_bytes(&arguments->puzzle);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct queens_puzzle *const puzzle = &arguments->puzzle;
    const struct nqueens_board empty = {0, 0, 0};
    struct trees_arguments first = {0};
    uint64_t solutions;

    struct nqueens_rules *const rules = sl_app_alloc(soc, sizeof *rules, 0);
    *rules = (struct nqueens_rules){
        .all = queens_all_columns(puzzle),
        .small_level = queens_small_level(puzzle),
        .columns = puzzle->columns,
        .rounds = puzzle->rounds,
        .lds_bytes = queens_lds_bytes(puzzle),
    };
    const struct trees_program program = {
        .name = "trees_nqueens",
        .capacity = slots(rules, &empty, 0),
        .arguments = 4,
        .functions = FUNCTIONS,
        .lds = group_lds_bytes(soc, arguments),
    };
    trees_put_u64(&first, 0);
    trees_put_pointer(&first, rules);
    const enum sl_status status =
        trees_run(soc, &program, &arguments->trees, PLACE, &first, &solutions);
    if (status == SL_OK) {
        puzzle->solutions = (uint32_t)solutions;
        sl_app_result("trees_nqueens(%" PRIu32 ") = %" PRIu32, puzzle->n, puzzle->solutions);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return queens_is_right(&arguments->puzzle);
}

static const struct sl_app app = {
    .doc = "Count the solutions of the N-queens puzzle by fork and join on a task vector, and "
           "check the count.",
    .table = table,
    .arguments = &(struct arguments){.puzzle = QUEENS_PUZZLE, .trees.group = 256},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
