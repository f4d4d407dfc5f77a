/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Unbalanced tree search: counts the nodes of a tree that comes out of SHA-1, with one channel
 * whose kernel feeds it, and checks the counts against a walk in plain C. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <sluice/program.h>
#include <sluice/sluice.h>

#include "uts.h"

#define DEPTH_DEFAULT 8
#define DEPTH_MAX     10
#define SEED_DEFAULT  1
#define BRANCHING     4 /* children of a node on the average */
#define WIDTH         (1u << 18)

struct search {
    struct tree tree;
    struct child root;
    struct counts counts; /* by the machine */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct search *const search = state->input;

    if (key == 'r') {
        search->root.number = (uint32_t)sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    }
    if (key == ARGP_KEY_ARG && state->arg_num == 0) {
        search->tree.depth = (uint32_t)sl_app_number(state, "DEPTH", argument, 1, DEPTH_MAX);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp_option options[] = {
    {"seed", 'r', "SEED", 0, "Which tree (default: 1)", 0},
    {0},
};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[DEPTH]",
    .doc =
        "Count the nodes of an unbalanced tree down to DEPTH (default: 8), and check the counts.",
};

/* Numbers of children have a geometric distribution: more than n with probability q to the power of
 * n + 1, where q / (1 - q) is their mean. Random numbers are less than 2^31. */
static void distribute(struct tree *tree)
{
    double probability = 1;

    for (int n = 0; n < CHILDREN_MAX; n++) {
        probability *= BRANCHING / (BRANCHING + 1.0);
        tree->least[n] = (uint32_t)ceil(0x1p31 * (1 - probability));
    }
}

static int build(struct sl_graph_builder *graph, const struct tree *tree, struct counts *counts)
{
    const struct sl_channel_options options = {.name = "nodes"};
    const int nodes = sl_graph_channel(graph, sizeof(struct child), WIDTH, &options);
    const int kernel = sl_graph_kernel(graph, "uts_kernel");

    sl_graph_argument(graph, kernel, 2, (uintptr_t)tree);
    sl_graph_argument(graph, kernel, 3, (uintptr_t)counts);
    sl_graph_connect(graph, nodes, kernel);
    sl_graph_output(graph, kernel, nodes, CHILDREN_MAX);
    return nodes;
}

static enum sl_status run(struct sl_soc *soc, void *arguments)
{
    struct search *const search = arguments;
    struct sl_module *module;
    struct sl_graph_builder *graph;

    enum sl_status status = sl_app_load(soc, "uts.elf", &module);
    if (status == SL_OK) {
        status = sl_graph_create(module, &graph);
    }
    if (status != SL_OK) {
        return status;
    }
    struct tree *const tree = sl_alloc(soc, sizeof *tree, 0);
    struct counts *const counts = sl_alloc(soc, sizeof *counts, 0);
    if (tree == NULL || counts == NULL) {
        return SL_ERROR_USAGE;
    }
    *tree = search->tree;
    const int nodes = build(graph, tree, counts);
    struct child *const root = sl_graph_talloc(graph, nodes, 1);
    if (root == NULL) {
        return SL_ERROR_USAGE;
    }
    *root = search->root;
    status = sl_graph_enq(graph, nodes, root, 1);
    if (status == SL_OK) {
        status = sl_graph_execute(graph);
    }
    if (status == SL_OK) {
        status = sl_app_wait(soc, graph);
    }
    if (status == SL_OK) {
        search->counts = *counts;
        sl_app_result("uts(%" PRIu32 ", %" PRIu32 ") = %" PRIu64, search->tree.depth,
                      search->root.number, counts->nodes);
    }
    return status;
}

static void print(const void *arguments)
{
    const struct search *const search = arguments;

    (void)printf("# leaves                 %" PRIu64 ", depth %" PRIu64 "\n", search->counts.leaves,
                 search->counts.depth);
}

/* The walk in plain C. */
static void walk(const struct tree *tree, const struct child *child, struct counts *counts)
{
    const struct sha1_digest node = sha1(&child->parent, child->number);
    const uint32_t children = children_of(tree, &node, child->depth);

    counts->nodes++;
    counts->leaves += children == 0;
    counts->depth = child->depth > counts->depth ? child->depth : counts->depth;
    for (uint32_t i = 0; i < children; i++) {
        const struct child next = {.parent = node, .number = i, .depth = child->depth + 1};
        walk(tree, &next, counts);
    }
}

static bool is_right(const void *arguments)
{
    const struct search *const search = arguments;
    struct counts right = {0};

    walk(&search->tree, &search->root, &right);
    const bool is_right = memcmp(&right, &search->counts, sizeof right) == 0;
    if (!is_right) {
        (void)fprintf(stderr,
                      "uts: wrong: there are %" PRIu64 " nodes, %" PRIu64 " leaves, %" PRIu64
                      " levels\n",
                      right.nodes, right.leaves, right.depth);
    }
    return is_right;
}

int main(int argc, char **argv)
{
    struct search search = {.tree = {.depth = DEPTH_DEFAULT}, .root = {.number = SEED_DEFAULT}};
    const struct sl_app app = {
        .argp = &argp, .arguments = &search, .run = run, .print = print, .is_right = is_right};

    distribute(&search.tree);
    return sl_app_main(&app, argc, argv);
}
