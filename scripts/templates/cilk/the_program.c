/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Of N values, what is the largest sum of neighbours? A recursive function with spawn and sync, as
 * in Cilk, on two stacks of channels, with a channel for each level of the recursion:
 *
 *     host --> [ tasks, level 0 ] --> (spawn_kernel) --> [ continuations, level 0 ] --> result
 *              [ tasks, level 1 ] <------+    |                      ^
 *              [ ...            ]             |            (sync_kernel)
 *                                             +--> [ continuations, level 1 ] ...
 *
 * The kernels are in the_program_kernel.c. */
#include <sluice/program.h>

#include "the_program.h"

#define WIDTH 1024 /* elements of each channel; less is less memory, and more waiting */

/* What the command line says, and what the machine finds. */
struct arguments {
    uint32_t n;
    int64_t best;
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 1000000, SL_INTO(struct arguments, n)},
    {0},
};

/* From -500 to 500, the same in each run. */
static int32_t value_at(uint32_t i)
{
    const uint32_t mixed = (i + 1) * 2654435761u;

    return (int32_t)((mixed ^ mixed >> 15) % 1001) - 500;
}

/* How deep the recursion goes: a stack has a channel for each level. The larger half counts. */
static uint32_t levels_of(uint32_t count)
{
    uint32_t levels = 1;

    while (count > LEAF) {
        count -= count / 2;
        levels++;
    }
    return levels;
}

/* Declares stacks, kernels and what connects them; returns the stack of tasks. A mistake in it is
 * told by the first call that returns a status. */
static int build(struct sl_graph_builder *graph, uint32_t levels)
{
    const struct sl_channel_options tasks_options = {.name = "tasks"};
    const struct sl_channel_options joins_options = {.name = "continuations"};
    const int tasks = sl_graph_stack(graph, SL_ROLE_PRE_SPAWN, sizeof(struct task), WIDTH, levels,
                                     &tasks_options);
    const int joins = sl_graph_stack(graph, SL_ROLE_POST_SYNC, sizeof(struct join), WIDTH,
                                     levels > 1 ? levels - 1 : 1, &joins_options);
    const int spawn = sl_graph_kernel(graph, "spawn_kernel");
    const int sync = sl_graph_kernel(graph, "sync_kernel");

    /* By position, as in the kernel's prototype; 0 and 1 are channel and index. */
    sl_graph_argument(graph, spawn, 2, (uint64_t)joins);

    sl_graph_connect_stack(graph, tasks, spawn); /* who takes elements out of it */
    sl_graph_connect_stack(graph, joins, sync);
    /* Who puts some in: how many at once, and how many levels deeper. */
    sl_graph_output_stack(graph, spawn, tasks, CHILDREN, 1);
    sl_graph_output_stack(graph, spawn, joins, 1, 0);
    return tasks;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    /* Kernels reach what sl_app_alloc() gives, and nothing of the host's own heap or stack. */
    int32_t *const values = sl_app_alloc(soc, n * sizeof *values, 0);
    struct sums *const sums = sl_app_alloc(soc, sizeof *sums, 0);

    for (uint32_t i = 0; i < n; i++) {
        values[i] = value_at(i);
    }
    /* The first call: a task for all values, at level 0. */
    struct task *const first = sl_app_put(graph, build(graph, levels_of(n)), 1);
    *first = (struct task){values, sums, n};
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        arguments->best = sums->best;
        sl_app_result("the_program(%" PRIu32 ") = %" PRId64, n, sums->best);
    }
    return status;
}

/* The same in plain C, another way: Kadane's, one value after the other. */
static int64_t best_in_plain_c(uint32_t n)
{
    int64_t here = value_at(0); /* the largest sum that ends here */
    int64_t best = here;

    for (uint32_t i = 1; i < n; i++) {
        here = (here > 0 ? here : 0) + value_at(i);
        best = here > best ? here : best;
    }
    return best;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const int64_t right = best_in_plain_c(arguments->n);

    return sl_app_check(arguments->best == right, "the largest sum is %" PRId64, right);
}

static const struct sl_app app = {
    .doc = "Find the largest sum of neighbours among N values on the simulated accelerator, and "
           "check it.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "the_program.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
