/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The host program of the second tutorial (docs/learn/cilk.md): the sum of the values in a binary
 * tree that random keys have grown, as a Cilk program on channel stacks. */
#include "workloads/tree_sum/tree_sum.h"

#include <inttypes.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/cilk.h"
#include "workloads/common/variant.h"
#include "workloads/tree_sum/grow.h"

#define WIDTH_DEFAULT 1024

struct tree_arguments {
    uint32_t n;
    struct cilk_options cilk;
    uint64_t sum;   /* the machine's result */
    uint64_t right; /* added up in plain C */
};

static error_t parse_tree(int key, char *argument, struct argp_state *state)
{
    struct tree_arguments *const tree = state->input;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = &tree->cilk;
        return 0;
    }
    return sl_app_n(key, argument, state, 1, TREE_NODES_MAX, &tree->n);
}

static const struct argp_child tree_children[] = {{&cilk_argp, 0, NULL, 0}, {0}};
static const struct argp tree_argp = {
    .parser = parse_tree,
    .args_doc = "N",
    .doc = "Add up the values in a binary tree of N nodes as a Cilk program on channel stacks, and "
           "check the sum.\vN is from 1 to 1000000. docs/learn/cilk.md explains this program.",
    .children = tree_children,
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

static enum sl_status run_tree(struct sl_soc *soc, void *arguments)
{
    struct tree_arguments *const tree = arguments;
    struct sl_graph_builder *graph;

    char file[32];
    enum sl_status status = cilk_begin(
        soc, &tree->cilk,
        variant_file("tree_sum", tree->cilk.channel.flags, true, file, sizeof file), &graph);
    if (status != SL_OK) {
        return status;
    }
    struct tree_node *const nodes = sl_alloc(soc, tree->n * sizeof *nodes, 0);
    uint64_t *const sum = nodes != NULL ? sl_alloc(soc, sizeof *sum, 0) : NULL;
    if (sum == NULL) {
        return SL_ERROR_USAGE;
    }
    const uint32_t levels = tree_grow(nodes, tree->n, &tree->right);
    struct cilk_root root;
    status = cilk_root_make(graph, build(graph, &tree->cilk, levels), &root);
    if (status != SL_OK) {
        return status;
    }
    SL_FIELD(root.view, 0, struct tree_task, node) = nodes;
    SL_FIELD(root.view, 0, struct tree_task, result) = sum;
    status = cilk_root_run(soc, graph, &root);
    if (status == SL_OK) {
        tree->sum = *sum;
        sl_app_result("tree_sum(%" PRIu32 ") = %" PRIu64, tree->n, tree->sum);
    }
    return status;
}

static bool is_right(const void *arguments)
{
    const struct tree_arguments *const tree = arguments;

    if (tree->sum != tree->right) {
        (void)fprintf(stderr, "tree_sum: wrong: the sum is %" PRIu64 "\n", tree->right);
    }
    return tree->sum == tree->right;
}

int main(int argc, char **argv)
{
    struct tree_arguments tree = {.cilk = {.width = WIDTH_DEFAULT, .has_forms = true}};
    const struct sl_app app = {
        .argp = &tree_argp, .arguments = &tree, .run = run_tree, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
