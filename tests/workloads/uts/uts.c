/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Unbalanced Tree Search (docs/know/uts.md): visits all nodes of a tree that is not known before,
 * since SHA-1 makes each node's children. papers/002 section 8.1 measures with it what scopes cost.
 * The parts are beside it; kernels are uts_kernel.c and uts_tasks_kernel.c. */
#include <stdio.h>

#include "sluice/program.h"
#include "workloads/common/tasks/queues.h"
#include "workloads/uts/options.h"
#include "workloads/uts/run.h"

struct arguments {
    struct uts_input input;
    bool is_on_channel;
    uint32_t width; /* of the channel; 0: for all nodes */
    struct sl_tasks_options tasks;
    struct sl_task_queues *queues; /* that made the result, or NULL */
    struct uts_count count;        /* the result */
};

static const struct sl_argument table[] = {
    SL_ROWS(struct arguments, input.tree, uts_tree_rows),
    {"runtime", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, is_on_channel),
     "Wavefronts that share tasks (the default), or a channel under the aggregator",
     "tasks|channels"},
    SL_ROWS(struct arguments, tasks, queues_rows),
    {"width", 'w', SL_POWER_OF_TWO, 1, SL_CHANNEL_WIDTH_MAX, SL_INTO(struct arguments, width),
     "Elements of the channel (default: for all nodes)", "ELEMENTS"},
    {0},
};

static void check(void *input)
{
    struct arguments *const arguments = input;
    uts_count(&arguments->input);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct uts_memory memory;
    char name[UTS_NAME_BYTES];

    const enum sl_status status =
        arguments->is_on_channel
            ? uts_by_channels(soc, &arguments->input, arguments->width, &memory)
            : uts_by_tasks(soc, &arguments->input, &arguments->tasks, &memory, &arguments->queues);
    if (status == SL_OK) {
        arguments->count = uts_counted(&memory);
        sl_app_result("uts(%s) = %" PRIu64, uts_name(&arguments->input.tree, name),
                      arguments->count.nodes);
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;

    (void)printf("# leaves       %" PRIu64 ", depth %" PRIu32 "\n", arguments->count.leaves,
                 arguments->count.depth);
    if (arguments->queues != NULL) {
        const struct queues_counts counts = queues_count(arguments->queues);
        queues_print(&counts);
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct uts_count *const count = &arguments->count;
    const struct uts_count *const right = &arguments->input.right;

    return sl_app_check(count->nodes == right->nodes && count->leaves == right->leaves &&
                            count->depth == right->depth,
                        "%" PRIu64 " nodes, %" PRIu64 " leaves, depth %" PRIu32
                        "; there are %" PRIu64 ", %" PRIu64 ", depth %" PRIu32,
                        count->nodes, count->leaves, count->depth, right->nodes, right->leaves,
                        right->depth);
}

static const struct sl_app app = {
    .doc = "Visit the nodes of an unbalanced tree on the simulated accelerator, and check how many "
           "there are.\vThe options -t, -a, -d, -b, -q, -m and -r are those of the benchmark UTS; "
           "that -q is quiet elsewhere, so that here it has to be written --quiet.",
    .table = table,
    .arguments = &(struct arguments){.input.tree = {UTS_T1}, .tasks.version = SL_TASKS_INDIRECT},
    .check = check,
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
