/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The sum of the values in a binary tree on a task vector (docs/know/trees.md): what tree_sum.c
 * does on channel stacks, of the same tree. Its kernel is trees_tree_sum_kernel.c. */

#include "sluice/program.h"
#include "workloads/common/trees.h"
#include "workloads/tree_sum/grow.h"

/* As the kernel's SL_TASKS() numbers them. */
enum { TREE = 1, FUNCTIONS = 2 };

struct arguments {
    uint32_t n;
    struct trees_options trees;
    uint64_t sum;   /* the machine's result */
    uint64_t right; /* added up in plain C */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, TREE_NODES_MAX, SL_INTO(struct arguments, n)},
    SL_ROWS(struct arguments, trees, trees_rows),
    {0},
};

/* A task for each node, none of which is freed before its parent reads it. */
static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct trees_program program = {
        .name = "trees_tree_sum",
        .capacity = arguments->n,
        .arguments = 4,
        .functions = FUNCTIONS,
    };
    struct trees_arguments first = {0};

    struct tree_node *const nodes = sl_app_alloc(soc, arguments->n * sizeof *nodes, 0);
    (void)tree_grow(nodes, arguments->n, &arguments->right);
    trees_put_pointer(&first, nodes);
    const enum sl_status status =
        trees_run(soc, &program, &arguments->trees, TREE, &first, &arguments->sum);
    if (status == SL_OK) {
        sl_app_result("trees_tree_sum(%" PRIu32 ") = %" PRIu64, arguments->n, arguments->sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return sl_app_check(arguments->sum == arguments->right, "the sum is %" PRIu64,
                        arguments->right);
}

static const struct sl_app app = {
    .doc = "Add up the values in a binary tree of N nodes by fork and join on a task vector, and "
           "check the sum.",
    .table = table,
    .arguments = &(struct arguments){0},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
