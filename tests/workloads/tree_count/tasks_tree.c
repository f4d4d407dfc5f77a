/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random trees on the work-sharing task runtime (docs/know/tasks.md): their nodes and leaves are
 * counted by tasks of two functions, and in plain C. Its kernel is tasks_tree_kernel.c. */
#include "workloads/tree_count/tasks_tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/tasks/queues.h"

#define DEPTH_MAX     24
#define FAN_DEFAULT   5
#define FAN_MAX       64
#define ROOTS_DEFAULT 1
#define ROOTS_MAX     65536

/* As the kernel's SL_WORK() numbers them. */
enum { GROW, END, FUNCTIONS };

enum { KEY_FAN = 256, KEY_ROOTS, KEY_TIMES };

struct arguments {
    uint32_t depth;
    uint32_t fan;
    uint32_t roots;
    uint32_t times;
    struct sl_tasks_options options;
    struct queues_counts counts;
    struct tasks_tree_sums sums;
};

static const struct argp_option option_table[] = {
    {"fan", KEY_FAN, "CHILDREN", 0, "Children of a node at most, 1 to 64 (default 5)", 0},
    {"roots", KEY_ROOTS, "TREES", 0, "Trees, from 1 to 65536 (default 1)", 0},
    {"times", KEY_TIMES, "RUNS", 0, "Do it so often with the same queues (default 1)", 0},
    QUEUES_OPTIONS,
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case KEY_FAN:
        arguments->fan = (uint32_t)sl_app_number(state, "--fan", argument, 1, FAN_MAX);
        return 0;
    case KEY_ROOTS:
        arguments->roots = (uint32_t)sl_app_number(state, "--roots", argument, 1, ROOTS_MAX);
        return 0;
    case KEY_TIMES:
        arguments->times = (uint32_t)sl_app_number(state, "--times", argument, 1, 100);
        return 0;
    default:
        break;
    }
    const error_t status = queues_parse(key, argument, state, &arguments->options);
    return status == ARGP_ERR_UNKNOWN
               ? sl_app_n(key, argument, state, 1, DEPTH_MAX, &arguments->depth)
               : status;
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "DEPTH",
    .doc = "Count nodes and leaves of random trees up to DEPTH, 1 to 24, by tasks that wavefronts "
           "share.\vThe result is the number of nodes.",
};

static struct tasks_tree_node root(uint32_t number)
{
    return tasks_tree_node(tasks_tree_mix(number + 1), 0);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_task_queues *tasks;
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "tasks_tree.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    struct tasks_tree *const tree = sl_alloc(soc, sizeof *tree, 0);
    if (tree == NULL) {
        return SL_ERROR_USAGE;
    }
    tree->depth = arguments->depth;
    tree->fan = arguments->fan;
    arguments->options.functions = FUNCTIONS;
    arguments->options.task_bytes = sizeof(struct tasks_tree_node);
    status = sl_tasks_create(module, "tasks_tree", &arguments->options, tree, &tasks);
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
    if (is->inner != should.inner || is->leaves != should.leaves || is->keys != should.keys ||
        is->wrong != 0) {
        (void)fprintf(stderr,
                      "tasks_tree: wrong: %" PRIu64 " inner nodes, %" PRIu64
                      " leaves, keys %#" PRIx64 "; should be %" PRIu64 ", %" PRIu64 ", %#" PRIx64
                      "; %" PRIu64 " tasks were not as they were made\n",
                      is->inner, is->leaves, is->keys, should.inner, should.leaves, should.keys,
                      is->wrong);
        return false;
    }
    if (count[SL_TASKS_RUN] != should.inner + should.leaves) {
        (void)fprintf(stderr,
                      "tasks_tree: wrong: %" PRIu64 " tasks were counted; should be %" PRIu64 "\n",
                      count[SL_TASKS_RUN], should.inner + should.leaves);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.fan = FAN_DEFAULT, .roots = ROOTS_DEFAULT, .times = 1};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .print = print, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
