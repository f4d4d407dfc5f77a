/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fibonacci as the Cilk program of the core paper (section 5, Figures 10 and 11): a stack of
 * channels for tasks and one for continuations, a level for each depth of the recursion. Each task
 * has a result of its own, in its parent's continuation; continuations add them up. Channels may be
 * much narrower than a level of the recursion is wide: wavefronts that find no space yield until
 * deeper work has made some. Its kernels are cilk_fib_kernel.c. */
#include "workloads/fib/cilk_fib.h"

#include <inttypes.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/cilk.h"
#include "workloads/common/fibonacci.h"
#include "workloads/common/paper.h"
#include "workloads/common/variant.h"

#define N_MAX            40
#define WIDTH_DEFAULT    32768 /* Table 3 */
#define CHILDREN         2
#define PAPER_N          24 /* Table 3 */
#define PAPER_WAVEFRONTS 2192

struct fib_arguments {
    uint32_t n;
    struct cilk_options cilk;
    uint64_t value; /* the result */
};

static error_t parse_fib(int key, char *argument, struct argp_state *state)
{
    struct fib_arguments *const fib = state->input;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = &fib->cilk;
        return 0;
    }
    return sl_app_n(key, argument, state, 1, N_MAX, &fib->n);
}

static const struct argp_child fib_children[] = {{&cilk_argp, 0, NULL, 0}, {0}};
static const struct argp fib_argp = {
    .parser = parse_fib,
    .args_doc = "N",
    .doc = "Compute the Nth Fibonacci number as a Cilk program on channel stacks, and check it.\v"
           "N is from 1 to 40. The exit status is 0 where the result is right, 1 where it is "
           "wrong, 2 for a wrong usage or configuration, 3 where the machine failed.",
    .children = fib_children,
};

/* Levels of the recursion: n, n - 1, ... 2. */
static uint32_t levels_of(uint32_t n)
{
    return n <= 2 ? 1 : n - 1;
}

/* Figure 11; returns the stack of tasks. Those of the deepest level have no continuations. */
static int build(struct sl_graph_builder *graph, const struct fib_arguments *fib)
{
    const uint32_t levels = levels_of(fib->n);
    int spawn;
    int sync;

    const int tasks = cilk_tasks(graph, &fib->cilk, "tasks", sizeof(struct fib_task), levels,
                                 "fib_spawn", &spawn);
    const int joins = cilk_joins(graph, &fib->cilk, "continuations", sizeof(struct fib_join),
                                 levels > 1 ? levels - 1 : 1, "fib_sync", &sync);
    sl_graph_argument(graph, spawn, 2, (uint64_t)joins);
    sl_graph_output_stack(graph, spawn, tasks, CHILDREN, 1);
    sl_graph_output_stack(graph, spawn, joins, 1, 0);
    return tasks;
}

static enum sl_status run_fib(struct sl_soc *soc, void *arguments)
{
    struct fib_arguments *const fib = arguments;
    struct sl_graph_builder *graph;

    char file[32];
    enum sl_status status = cilk_begin(
        soc, &fib->cilk, variant_file("cilk_fib", fib->cilk.channel.flags, true, file, sizeof file),
        &graph);
    if (status != SL_OK) {
        return status;
    }
    uint64_t *const result = sl_alloc(soc, sizeof *result, 0);
    if (result == NULL) {
        return SL_ERROR_USAGE;
    }
    struct cilk_root root;
    status = cilk_root_make(graph, build(graph, fib), &root);
    if (status != SL_OK) {
        return status;
    }
    SL_FIELD(root.view, 0, struct fib_task, n) = fib->n;
    SL_FIELD(root.view, 0, struct fib_task, result) = result;
    status = cilk_root_run(soc, graph, &root);
    if (status == SL_OK) {
        fib->value = *result;
        sl_app_result("cilk_fib(%" PRIu32 ") = %" PRIu64, fib->n, fib->value);
    }
    return status;
}

static bool is_right(const void *arguments)
{
    const struct fib_arguments *const fib = arguments;
    const uint64_t right = fibonacci(fib->n);

    if (fib->value != right) {
        (void)fprintf(stderr, "cilk_fib: wrong: fib(%" PRIu32 ") is %" PRIu64 "\n", fib->n, right);
    }
    return fib->value == right;
}

static void print_paper(const struct sl_soc *soc, const void *arguments)
{
    const struct fib_arguments *const fib = arguments;
    if (fib->n == PAPER_N && fib->cilk.width == WIDTH_DEFAULT) {
        paper_wavefronts(soc, PAPER_WAVEFRONTS);
    }
}

int main(int argc, char **argv)
{
    struct fib_arguments fib = {.cilk = {.width = WIDTH_DEFAULT, .has_forms = true}};
    const struct sl_app app = {
        .argp = &fib_argp,
        .arguments = &fib,
        .run = run_fib,
        .is_right = is_right,
        .print_after = print_paper,
    };

    return sl_app_main(&app, argc, argv);
}
