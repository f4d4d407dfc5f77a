/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fibonacci as the Cilk program of the core paper (section 5, Figures 10 and 11): a stack of
 * channels for tasks and one for continuations, a level for each depth of the recursion. Each task
 * has a result of its own, in its parent's continuation; continuations add them up. Channels may be
 * much narrower than a level of the recursion is wide: wavefronts that find no space yield until
 * deeper work has made some. Its kernels are cilk_fib_kernel.c. */
#include "workloads/fib/cilk_fib.h"

#include "sluice/program.h"
#include "workloads/common/cilk.h"
#include "workloads/common/fibonacci.h"
#include "workloads/common/paper.h"
#include "workloads/common/variant.h"

#define WIDTH_DEFAULT    32768 /* Table 3 */
#define CHILDREN         2
#define PAPER_N          24 /* Table 3 */
#define PAPER_WAVEFRONTS 2192

struct arguments {
    uint32_t n;
    struct cilk_options cilk;
    uint64_t value; /* the result */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 40, SL_INTO(struct arguments, n)},
    SL_ROWS(struct arguments, cilk, cilk_rows),
    VARIANT_ROWS(struct arguments, cilk.channel),
    {0},
};

/* Levels of the recursion: n, n - 1, ... 2. */
static uint32_t levels_of(uint32_t n)
{
    return n <= 2 ? 1 : n - 1;
}

/* Figure 11; returns the stack of tasks. Those of the deepest level have no continuations. */
static int build(struct sl_graph_builder *graph, const struct arguments *fib)
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

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const fib = input;
    struct sl_graph_builder *const graph = cilk_begin(soc, &fib->cilk, "cilk_fib");
    uint64_t *const result = sl_app_alloc(soc, sizeof *result, 0);

    const struct sl_view root = cilk_root(graph, build(graph, fib));
    SL_FIELD(root, 0, struct fib_task, n) = fib->n;
    SL_FIELD(root, 0, struct fib_task, result) = result;
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        fib->value = *result;
        sl_app_result("cilk_fib(%" PRIu32 ") = %" PRIu64, fib->n, fib->value);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const fib = input;
    const uint64_t right = fibonacci(fib->n);

    return sl_app_check(fib->value == right, "fib(%" PRIu32 ") is %" PRIu64, fib->n, right);
}

static void print_paper(const struct sl_soc *soc, const void *input)
{
    const struct arguments *const fib = input;
    if (fib->n == PAPER_N && fib->cilk.width == WIDTH_DEFAULT) {
        paper_wavefronts(soc, PAPER_WAVEFRONTS);
    }
}

static const struct sl_app app = {
    .doc = "Compute the Nth Fibonacci number as a Cilk program on channel stacks, and check it.",
    .table = table,
    .arguments = &(struct arguments){.cilk.width = WIDTH_DEFAULT},
    .run = run,
    .is_right = is_right,
    .print_after = print_paper,
};
SL_PROGRAM(app)
