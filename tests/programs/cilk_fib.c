/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fibonacci as the Cilk program of the core paper (section 5, Figures 10 and 11): a stack of
 * channels for tasks and one for continuations, a level for each depth of the recursion. Each task
 * has a result of its own, in its parent's continuation; continuations add them up. Channels may be
 * much narrower than a level of the recursion is wide: wavefronts that find no space yield until
 * deeper work has made some. Its kernels are cilk_fib_kernel.c. */
#include "programs/cilk_fib.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "host/sluice.h"
#include "programs/common/options.h"
#include "programs/common/progress.h"
#include "programs/common/report.h"

#define N_MAX         40
#define WIDTH_DEFAULT 32768 /* Table 3 */
#define CHILDREN      2

struct fib_options {
    uint32_t n;
    uint32_t width; /* of the tasks' channels */
    uint32_t joins; /* of the continuations'; 0: the same */
    uint32_t flags;
};

enum { KEY_JOINS = 256, KEY_NARROW };

static const struct argp_option fib_option_table[] = {
    {"width", 'w', "ELEMENTS", 0,
     "Elements of each channel, a power of two (default 32768, at least 256)", 0},
    {"continuations", KEY_JOINS, "ELEMENTS", 0,
     "Elements of each channel of continuations (default: as the others, at least 128)", 0},
    {"narrow", KEY_NARROW, NULL, 0,
     "Accept channels that are too narrow for one wavefront: the run ends with an error", 0},
    {0},
};

static error_t parse_fib(int key, char *argument, struct argp_state *state)
{
    struct fib_options *const options = state->input;
    switch (key) {
    case 'w':
        options->width = (uint32_t)options_number(state, "--width", argument, 1, UINT32_MAX);
        return 0;
    case KEY_JOINS:
        options->joins =
            (uint32_t)options_number(state, "--continuations", argument, 1, UINT32_MAX);
        return 0;
    case KEY_NARROW:
        options->flags = SL_CHANNEL_NARROW;
        return 0;
    default:
        return options_n(key, argument, state, 1, N_MAX, &options->n);
    }
}

static const struct argp fib_argp = {
    .options = fib_option_table,
    .parser = parse_fib,
    .args_doc = "N",
    .doc = "Compute the Nth Fibonacci number as a Cilk program on channel stacks, and check it.\v"
           "N is from 1 to 40. The exit status is 0 where the result is right, 1 where it is "
           "wrong, 2 for a wrong usage or configuration, 3 where the machine failed.",
};

static uint64_t fib_in_plain_c(uint32_t n)
{
    uint64_t last = 0;
    uint64_t value = 1;
    for (uint32_t i = 1; i < n; i++) {
        const uint64_t next = last + value;
        last = value;
        value = next;
    }
    return value;
}

/* Levels of the recursion: n, n - 1, ... 2. */
static uint32_t levels_of(uint32_t n)
{
    return n <= 2 ? 1 : n - 1;
}

/* Figure 11; returns the stack of tasks. */
static int build(struct sl_graph_builder *graph, const struct fib_options *options)
{
    const struct sl_channel_options tasks_options = {.name = "tasks", .flags = options->flags};
    const struct sl_channel_options joins_options = {.name = "continuations",
                                                     .flags = options->flags};
    const uint32_t joins_width = options->joins != 0 ? options->joins : options->width;
    const uint32_t levels = levels_of(options->n);

    const int tasks = sl_graph_stack(graph, SL_ROLE_PRE_SPAWN, sizeof(struct fib_task),
                                     options->width, levels, &tasks_options);
    const int joins = sl_graph_stack(graph, SL_ROLE_POST_SYNC, sizeof(struct fib_join), joins_width,
                                     levels, &joins_options);
    const int spawn = sl_graph_kernel(graph, "fib_spawn");
    const int sync = sl_graph_kernel(graph, "fib_sync");
    sl_graph_argument(graph, spawn, 2, (uint64_t)joins);
    sl_graph_connect_stack(graph, tasks, spawn);
    sl_graph_connect_stack(graph, joins, sync);
    sl_graph_output_stack(graph, spawn, tasks, CHILDREN, 1);
    sl_graph_output_stack(graph, spawn, joins, 1, 0);
    return tasks;
}

static enum sl_status fib_on_sluice(struct sl_soc *soc, const struct fib_options *options,
                                    uint64_t *value)
{
    struct sl_module *module;
    struct sl_graph_builder *graph;
    char kernels[PATH_MAX];

    enum sl_status status =
        sl_module_load(soc, options_kernels("cilk_fib.elf", kernels, sizeof kernels), &module);
    if (status != SL_OK) {
        return status;
    }
    status = sl_graph_create(module, &graph);
    if (status != SL_OK) {
        return status;
    }
    uint64_t *const result = sl_alloc(soc, sizeof *result, 0);
    if (result == NULL) {
        return SL_ERROR_MACHINE;
    }
    const int tasks = build(graph, options);
    status = sl_graph_prepare(graph);
    if (status != SL_OK) {
        return status;
    }
    struct fib_task *const task = sl_graph_talloc(graph, tasks, 1);
    if (task == NULL) {
        return SL_ERROR_USAGE;
    }
    *task = (struct fib_task){.n = options->n, .result = result};
    status = sl_graph_enq(graph, tasks, task, 1);
    if (status == SL_OK) {
        status = sl_graph_execute(graph);
    }
    if (status == SL_OK) {
        status = progress_wait(soc, graph);
    }
    *value = *result;
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct fib_options fib = {.n = 0, .width = WIDTH_DEFAULT};
    struct sl_soc *soc;
    uint64_t value = 0;
    int exit_status = PROGRAM_WRONG;

    options_parse(&fib_argp, argc, argv, &fib, &options);
    enum sl_status status = sl_soc_open(&options.config, &soc);
    if (status == SL_OK) {
        status = fib_on_sluice(soc, &fib, &value);
    }
    if (status == SL_OK) {
        report_result("cilk_fib(%" PRIu32 ") = %" PRIu64, fib.n, value);
        status = report_run(soc, &options);
    }
    if (status != SL_OK) {
        exit_status = report_error(soc, status);
    } else if (value == fib_in_plain_c(fib.n)) {
        exit_status = PROGRAM_RIGHT;
    } else {
        (void)fprintf(stderr, "cilk_fib: wrong: fib(%" PRIu32 ") is %" PRIu64 "\n", fib.n,
                      fib_in_plain_c(fib.n));
    }
    sl_soc_close(soc);
    return exit_status;
}
