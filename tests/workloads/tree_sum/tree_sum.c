/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The host program of the second tutorial (docs/learn/cilk.md): the sum of the values in a binary
 * tree that random keys have grown, as a Cilk program on channel stacks. */
#include "workloads/tree_sum/tree_sum.h"

#include "sluice/program.h"
#include "workloads/common/cilk.h"
#include "workloads/common/variant.h"
#include "workloads/tree_sum/grow.h"

struct arguments {
    uint32_t n;
    struct cilk_options cilk;
    uint64_t sum;   /* the machine's result */
    uint64_t right; /* added up in plain C */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, TREE_NODES_MAX, SL_INTO(struct arguments, n)},
    SL_ROWS(struct arguments, cilk, cilk_rows),
    VARIANT_ROWS(struct arguments, cilk.channel),
    {0},
};

static int build(struct sl_graph_builder *graph, const struct cilk_options *options,
                 uint32_t levels)
{
    int spawn;
    int sync;

    const int tasks =
        cilk_tasks(graph, options, "tasks", sizeof(struct tree_task), levels, "tree_spawn", &spawn);
    const int joins = cilk_joins(graph, options, "continuations", sizeof(struct tree_join), levels,
                                 "tree_sync", &sync);
    sl_graph_argument(graph, spawn, 2, (uint64_t)joins);
    sl_graph_output_stack(graph, spawn, tasks, CHILDREN, 1);
    sl_graph_output_stack(graph, spawn, joins, 1, 0);
    return tasks;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const tree = input;
    struct sl_graph_builder *const graph = cilk_begin(soc, &tree->cilk, "tree_sum");
    struct tree_node *const nodes = sl_app_alloc(soc, tree->n * sizeof *nodes, 0);
    uint64_t *const sum = sl_app_alloc(soc, sizeof *sum, 0);

    const uint32_t levels = tree_grow(nodes, tree->n, &tree->right);
    const struct sl_view root = cilk_root(graph, build(graph, &tree->cilk, levels));
    SL_FIELD(root, 0, struct tree_task, node) = nodes;
    SL_FIELD(root, 0, struct tree_task, result) = sum;
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        tree->sum = *sum;
        sl_app_result("tree_sum(%" PRIu32 ") = %" PRIu64, tree->n, tree->sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const tree = input;

    return sl_app_check(tree->sum == tree->right, "the sum is %" PRIu64, tree->right);
}

static const struct sl_app app = {
    .doc = "Add up the values in a binary tree of N nodes as a Cilk program on channel stacks, and "
           "check the sum.\vdocs/learn/cilk.md explains this program.",
    .table = table,
    .arguments = &(struct arguments){.cilk.width = 1024},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
