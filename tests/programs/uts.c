/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Unbalanced Tree Search (docs/uts.md): visits all nodes of a tree that is not known before, since
 * SHA-1 makes each node's children. papers/002 section 8.1 measures with it what scopes cost. The
 * parts are in uts/; kernels are uts_kernel.c and uts_tasks_kernel.c. */
#include <inttypes.h>
#include <stdio.h>

#include "programs/common/options.h"
#include "programs/common/program.h"
#include "programs/common/report.h"
#include "programs/uts/options.h"
#include "programs/uts/run.h"

struct arguments {
    struct uts_input input;
    bool is_on_channel;
    uint32_t width; /* of the channel; 0: for all nodes */
    struct sl_tasks_options tasks;
    struct sl_task_queues *queues; /* that made the result, or NULL */
    struct uts_count count;        /* the result */
};

enum { KEY_RUNTIME = 512, KEY_VERSION, KEY_GROUP, KEY_DEVICE, KEY_CAPACITY };

static const struct argp_option option_table[] = {
    {"runtime", KEY_RUNTIME, "tasks|channels", 0,
     "Wavefronts that share tasks (the default), or a channel under the aggregator", 0},
    {"version", KEY_VERSION, "indirect|direct", 0,
     "Scopes of the tasks' queues: each its own (the default), or the device for all", 0},
    {"group-threshold", KEY_GROUP, "FRONTS", 0,
     "A work-group's queue with fewer is given some (default 8)", 0},
    {"device-threshold", KEY_DEVICE, "FRONTS", 0, "The same of the device's (default 64)", 0},
    {"capacity", KEY_CAPACITY, "FRONTS", 0,
     "Of a wavefront's own queue, a power of two (default 64)", 0},
    {"width", 'w', "ELEMENTS", 0,
     "Elements of the channel, a power of two (default: for all nodes)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    struct sl_tasks_options *const tasks = &arguments->tasks;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->input;
        return 0;
    case KEY_RUNTIME:
        arguments->is_on_channel =
            options_choice(state, "--runtime", argument, "tasks", "channels");
        return 0;
    case KEY_VERSION:
        tasks->version = options_choice(state, "--version", argument, "indirect", "direct")
                             ? SL_TASKS_DIRECT
                             : SL_TASKS_INDIRECT;
        return 0;
    case KEY_GROUP:
        tasks->group_threshold = (uint32_t)options_number(state, "--group-threshold", argument, 1,
                                                          SL_TASKS_CAPACITY / 2);
        return 0;
    case KEY_DEVICE:
        tasks->device_threshold = (uint32_t)options_number(state, "--device-threshold", argument, 1,
                                                           SL_TASKS_CAPACITY / 2);
        return 0;
    case KEY_CAPACITY:
        tasks->capacity = options_power_of_two(state, "--capacity", argument, 1, SL_TASKS_CAPACITY);
        return 0;
    case 'w':
        arguments->width =
            options_power_of_two(state, "--width", argument, 1, SL_CHANNEL_WIDTH_MAX);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "all is said by options, and '%s' is none", argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
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
        report_result("uts(%s) = %" PRIu64, uts_name(&arguments->input.tree, name),
                      arguments->count.nodes);
    }
    return status;
}

static void print_tasks(const struct sl_task_queues *tasks)
{
    const uint64_t to_group = sl_tasks_count(tasks, SL_TASKS_TO_GROUP);
    const uint64_t to_device = sl_tasks_count(tasks, SL_TASKS_TO_DEVICE);
    const uint64_t from_group = sl_tasks_count(tasks, SL_TASKS_GROUP_DEVICE);

    (void)printf("# fronts                 %" PRIu64 " full, %" PRIu64 " partial\n",
                 sl_tasks_count(tasks, SL_TASKS_FULL), sl_tasks_count(tasks, SL_TASKS_PARTIAL));
    (void)printf("# donations              %" PRIu64 ": %" PRIu64 " to a work-group, %" PRIu64
                 " to the device, %" PRIu64 " from a work-group to the device\n",
                 to_group + to_device + from_group, to_group, to_device, from_group);
    (void)printf("# longest queues         %" PRIu64 " fronts of a wavefront, %" PRIu64
                 " of a work-group, %" PRIu64 " of the device\n",
                 sl_tasks_count(tasks, SL_TASKS_MAX_OWN), sl_tasks_count(tasks, SL_TASKS_MAX_GROUP),
                 sl_tasks_count(tasks, SL_TASKS_MAX_DEVICE));
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;

    (void)printf("# leaves                 %" PRIu64 ", depth %" PRIu32 "\n",
                 arguments->count.leaves, arguments->count.depth);
    if (arguments->queues != NULL) {
        print_tasks(arguments->queues);
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
    struct arguments arguments = {.tasks = {.version = SL_TASKS_INDIRECT}};
    const struct program program = {
        .argp = &argp, .arguments = &arguments, .run = run, .print = print, .is_right = is_right};

    return program_main(&program, argc, argv);
}
