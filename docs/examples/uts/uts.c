/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Unbalanced tree search: counts the nodes of a tree that comes out of SHA-1, with one channel
 * whose kernel feeds it, and checks the counts against a walk in plain C. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sluice/program.h>

#include "uts.h"

#define BRANCHING 4 /* children of a node on the average */
#define WIDTH     (1u << 18)

struct search {
    struct tree tree;
    struct child root;
    struct counts counts; /* by the machine */
};

static const struct sl_argument table[] = {
    {"[DEPTH]", 0, SL_NUMBER, 1, 10, SL_INTO(struct search, tree.depth)},
    {"seed", 'r', SL_SEED, 0, 0, SL_INTO(struct search, root.number), "Which tree"},
    {0},
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
    const int kernel = sl_graph_consumer(graph, nodes, "uts_kernel", SL_VALUES(tree, counts));

    sl_graph_output(graph, kernel, nodes, CHILDREN_MAX);
    return nodes;
}

static enum sl_status run(struct sl_soc *soc, void *arguments)
{
    struct search *const search = arguments;
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    struct tree *const tree = sl_app_alloc(soc, sizeof *tree, 0);
    struct counts *const counts = sl_app_alloc(soc, sizeof *counts, 0);

    distribute(&search->tree);
    *tree = search->tree;
    struct child *const root = sl_app_put(graph, build(graph, tree, counts), 1);
    *root = search->root;
    const enum sl_status status = sl_app_execute(graph);
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
    return sl_app_check(memcmp(&right, &search->counts, sizeof right) == 0,
                        "there are %" PRIu64 " nodes, %" PRIu64 " leaves, %" PRIu64 " levels",
                        right.nodes, right.leaves, right.depth);
}

static const struct sl_app app = {
    .doc = "Count the nodes of an unbalanced tree down to DEPTH, and check the counts.",
    .table = table,
    .arguments = &(struct search){.tree = {.depth = 8}, .root = {.number = 1}},
    .kernels = "uts.elf",
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
