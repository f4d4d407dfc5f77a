/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random trees on the work-sharing task runtime (docs/know/tasks.md): their nodes and leaves are
 * counted by tasks of two functions, and in plain C. Its kernel is tasks_tree_kernel.c. */
#include "workloads/tree_count/tasks_tree.h"

#include <string.h>

#include "sluice/program.h"
#include "workloads/common/tasks/queues.h"

/* As the kernel's SL_WORK() numbers them. */
enum { GROW, END, FUNCTIONS };

struct arguments {
    uint32_t depth;
    uint32_t fan;
    uint32_t roots;
    uint32_t times;
    struct sl_tasks_options options;
    struct queues_counts counts;
    struct tasks_tree_sums sums;
};

static const struct sl_argument table[] = {
    {"DEPTH", 0, SL_NUMBER, 1, 24, SL_INTO(struct arguments, depth)},
    {"fan", 0, SL_NUMBER, 1, 64, SL_INTO(struct arguments, fan), "Children of a node at most",
     "CHILDREN"},
    {"roots", 0, SL_NUMBER, 1, 65536, SL_INTO(struct arguments, roots), "Trees", "TREES"},
    {"times", 0, SL_NUMBER, 1, 100, SL_INTO(struct arguments, times),
     "Do it so often with the same queues", "RUNS"},
    SL_ROWS(struct arguments, options, queues_rows),
    {0},
};

static struct tasks_tree_node root(uint32_t number)
{
    return tasks_tree_node(tasks_tree_mix(number + 1), 0);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_task_queues *tasks;
    struct tasks_tree *const tree = sl_app_alloc(soc, sizeof *tree, 0);

    tree->depth = arguments->depth;
    tree->fan = arguments->fan;
    arguments->options.functions = FUNCTIONS;
    arguments->options.task_bytes = sizeof(struct tasks_tree_node);
    enum sl_status status =
        sl_tasks_create(sl_app_kernels(soc), "tasks_tree", &arguments->options, tree, &tasks);
    for (uint32_t i = 0; i < arguments->roots && status == SL_OK; i++) {
        const struct tasks_tree_node first = root(i);
        status = sl_tasks_add(tasks, GROW, &first, 1);
    }
    for (uint32_t i = 0; i < arguments->times && status == SL_OK; i++) {
        memset(&tree->sums, 0, sizeof tree->sums);
        status = queues_run(soc, tasks);
    }
    if (status == SL_OK) {
        arguments->sums = tree->sums;
        arguments->counts = queues_count(tasks);
        sl_app_result("tasks_tree(%" PRIu32 ") = %" PRIu64, arguments->depth,
                      tree->sums.inner + tree->sums.leaves);
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;

    queues_print(&arguments->counts);
}

static void walk(const struct tasks_tree *tree, struct tasks_tree_node node, bool is_leaf,
                 struct tasks_tree_sums *sums)
{
    if (is_leaf) {
        sums->leaves++;
        sums->keys += node.key;
        return;
    }
    sums->inner++;
    const uint32_t children = tasks_tree_children(tree, node.key);
    for (uint32_t i = 0; i < children; i++) {
        const struct tasks_tree_node child = tasks_tree_child(node.key, node.depth, i);
        walk(tree, child, tasks_tree_is_leaf(tree, child.key, child.depth), sums);
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct tasks_tree tree = {.depth = arguments->depth, .fan = arguments->fan};
    const struct tasks_tree_sums *const is = &arguments->sums;
    const uint64_t *const count = arguments->counts.count;
    struct tasks_tree_sums should = {0};

    for (uint32_t i = 0; i < arguments->roots; i++) {
        walk(&tree, root(i), false, &should);
    }
    const uint64_t tasks = should.inner + should.leaves;
    return sl_app_check(is->inner == should.inner && is->leaves == should.leaves &&
                            is->keys == should.keys && is->wrong == 0,
                        "%" PRIu64 " inner nodes, %" PRIu64 " leaves, keys %#" PRIx64
                        "; should be %" PRIu64 ", %" PRIu64 ", %#" PRIx64 "; %" PRIu64
                        " tasks were not as they were made",
                        is->inner, is->leaves, is->keys, should.inner, should.leaves, should.keys,
                        is->wrong) &&
           sl_app_check(count[SL_TASKS_RUN] == tasks,
                        "%" PRIu64 " tasks were counted; should be %" PRIu64, count[SL_TASKS_RUN],
                        tasks);
}

static const struct sl_app app = {
    .doc = "Count nodes and leaves of random trees up to DEPTH by tasks that wavefronts share.\v"
           "The result is the number of nodes.",
    .table = table,
    .arguments =
        &(struct arguments){
            .fan = 5, .roots = 1, .times = 1, .options = {.version = SL_TASKS_INDIRECT}},
    .kernels = "tasks_tree.elf",
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
