/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two N x N matrices of floats as a Cilk program. As the core paper words it (section
 * 7.1): a task divides its matrices into four sub-matrices each, down to blocks of 16 x 16, and
 * products are added up atomically: a tree in which each task has eight children, and no
 * continuations. Its kernel is strassen_kernel.c. The variant with Strassen's seven products is in
 * the folder strassen.
 *
 * Matrices, and how the product is checked, are in matrices.c. */
#include "workloads/strassen/strassen_task.h"

#include "sluice/program.h"
#include "workloads/common/cilk.h"
#include "workloads/common/paper.h"
#include "workloads/common/variant.h"
#include "workloads/strassen/matrices.h"
#include "workloads/strassen/variant_seven.h"

#define WIDTH_DEFAULT    8192 /* Table 3 */
#define PAPER_N          512  /* Table 3 */
#define PAPER_WAVEFRONTS 587

struct arguments {
    uint32_t n;
    bool is_seven;
    uint32_t seed;
    struct cilk_options cilk;
    struct strassen_matrices matrices;
};

static const struct sl_argument table[] = {
    STRASSEN_ROWS(struct arguments, n, seed),
    {"variant", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, is_seven),
     "Eight products that are added atomically (the default), or Strassen's seven", "eight|seven"},
    VARIANT_ROW_CHANNELS(struct arguments, cilk.channel),
    SL_ROWS(struct arguments, cilk, cilk_rows),
    {0},
};

static void check(void *input)
{
    const struct arguments *const strassen = input;

    if (strassen->is_seven && !variant_is_packed(strassen->cilk.channel.flags)) {
        sl_argument_fail("--variant seven has kernels for the channels wavefront, workitem and "
                         "stamped only");
    }
}

/* Blocks of a group: the variant with seven products adds up whole sub-matrices, which are not to
 * be in pieces. */
static uint32_t group_of(const struct arguments *strassen)
{
    return strassen->is_seven ? 1 : STRASSEN_GROUP;
}

static enum sl_status run_eight(struct sl_soc *soc, struct arguments *strassen)
{
    struct sl_graph_builder *const graph = cilk_begin(soc, &strassen->cilk, "strassen");
    const struct strassen_task task = strassen_root(&strassen->matrices);
    int multiply;

    const int tasks = cilk_tasks(graph, &strassen->cilk, "tasks", sizeof(struct strassen_task),
                                 strassen_levels(strassen->n), "strassen_multiply", &multiply);
    sl_graph_argument(graph, multiply, 2, (uintptr_t)strassen->matrices.left);
    sl_graph_output_stack(graph, multiply, tasks, STRASSEN_CHILDREN, 1);
    const struct sl_view root = cilk_root(graph, tasks);
    SL_FIELD(root, 0, struct strassen_task, left) = task.left;
    SL_FIELD(root, 0, struct strassen_task, right) = task.right;
    SL_FIELD(root, 0, struct strassen_task, product) = task.product;
    SL_FIELD(root, 0, struct strassen_task, n) = task.n;
    return sl_app_execute(graph);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const strassen = input;
    struct strassen_matrices *const matrices = &strassen->matrices;

    strassen_matrices_make(soc, strassen->n, group_of(strassen), strassen->seed, matrices);
    const enum sl_status status =
        strassen->is_seven ? variant_seven_run(soc, &strassen->cilk, strassen->n, matrices->left,
                                               matrices->right, matrices->product)
                           : run_eight(soc, strassen);
    if (status == SL_OK) {
        sl_app_result("strassen(%" PRIu32 ") = %.9g", strassen->n, strassen_matrices_sum(matrices));
    }
    return status;
}

static double seven_bound(uint32_t n, double magnitude)
{
    (void)magnitude;
    return variant_seven_bound(n);
}

static bool is_right(const void *input)
{
    const struct arguments *const strassen = input;
    const struct strassen_matrices *const matrices = &strassen->matrices;

    return strassen->is_seven ? strassen_is_within(matrices, seven_bound) &&
                                    variant_seven_is_right(strassen->n, matrices->left,
                                                           matrices->right, matrices->product)
                              : strassen_is_within(matrices, strassen_bound);
}

static void print_paper(const struct sl_soc *soc, const void *input)
{
    const struct arguments *const strassen = input;
    if (strassen->n == PAPER_N && !strassen->is_seven && strassen->cilk.width == WIDTH_DEFAULT) {
        paper_wavefronts(soc, PAPER_WAVEFRONTS);
    }
}

static const struct sl_app app = {
    .doc = "Multiply two N x N matrices of floats as a Cilk program on channel stacks, and check "
           "the product.\vThe result is the sum of all elements.",
    .table = table,
    .arguments = &(struct arguments){.seed = 1, .cilk.width = WIDTH_DEFAULT},
    .check = check,
    .run = run,
    .is_right = is_right,
    .print_after = print_paper,
};
SL_PROGRAM(app)
