/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Unbalanced Tree Search (docs/know/uts.md): visits all nodes of a tree that is not known before,
 * since SHA-1 makes each node's children. papers/002 section 8.1 measures with it what scopes cost.
 * The parts are beside it; kernels are uts_kernel.c and uts_tasks_kernel.c. */
#include <inttypes.h>
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

enum { KEY_RUNTIME = 512 };

static const struct argp_option option_table[] = {
    {"runtime", KEY_RUNTIME, "tasks|channels", 0,
     "Wavefronts that share tasks (the default), or a channel under the aggregator", 0},
    QUEUES_OPTIONS,
    {"width", 'w', "ELEMENTS", 0,
     "Elements of the channel, a power of two (default: for all nodes)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->input;
        (void)queues_parse(key, argument, state, &arguments->tasks);
        return 0;
    case KEY_RUNTIME:
        arguments->is_on_channel = sl_app_choice(state, "--runtime", argument, "tasks", "channels");
        return 0;
    case 'w':
        arguments->width = sl_app_power_of_two(state, "--width", argument, 1, SL_CHANNEL_WIDTH_MAX);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "all is said by options, and '%s' is none", argument);
        return 0;
    default:
        return queues_parse(key, argument, state, &arguments->tasks);
    }
}

static const struct argp_child children[] = {{&uts_tree_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .doc = "Visit the nodes of an unbalanced tree on the simulated accelerator, and check how many "
           "there are.\vThe options -t, -a, -d, -b, -q, -m and -r are those of the benchmark UTS; "
           "that -q is quiet elsewhere, so that here it has to be written --quiet.",
    .children = children,
};

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
    const bool is_equal = count->nodes == right->nodes && count->leaves == right->leaves &&
                          count->depth == right->depth;

    if (!is_equal) {
        (void)fprintf(stderr,
                      "uts: wrong: %" PRIu64 " nodes, %" PRIu64 " leaves, depth %" PRIu32
                      "; there are %" PRIu64 ", %" PRIu64 ", depth %" PRIu32 "\n",
                      count->nodes, count->leaves, count->depth, right->nodes, right->leaves,
                      right->depth);
    }
    return is_equal;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .print = print, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
