/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two N x N matrices of floats by divide and conquer on a task vector
 * (docs/know/trees.md; papers/000 section 5.6 has a matrix multiply among its programs): what
 * strassen.c does on channel stacks, with eight products that are added atomically. Its kernel is
 * trees_matmul_kernel.c. */

#include "sluice/program.h"
#include "workloads/common/trees.h"
#include "workloads/strassen/matrices.h"

/* As the kernel's SL_TASKS() numbers them. */
enum { MULTIPLY = 1, FUNCTIONS = 1 };

struct arguments {
    uint32_t n;
    uint32_t seed;
    struct trees_options trees;
    struct strassen_matrices matrices;
};

static const struct sl_argument table[] = {
    STRASSEN_ROWS(struct arguments, n, seed),
    SL_ROWS(struct arguments, trees, trees_rows),
    {0},
};

/* A task and its eight children, theirs, and so on: 1 + 8 + 64 + ..., of which none joins. */
static uint32_t slots(uint32_t n)
{
    uint32_t all = 0;
    for (uint32_t level = 0; level < strassen_levels(n); level++) {
        all = STRASSEN_CHILDREN * all + 1;
    }
    return all;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct strassen_matrices *const matrices = &arguments->matrices;
    const struct trees_program program = {
        .name = "trees_matmul",
        .capacity = slots(arguments->n),
        .arguments = 6,
        .functions = FUNCTIONS,
    };
    struct trees_arguments first = {0};

    strassen_matrices_make(soc, arguments->n, STRASSEN_GROUP, arguments->seed, matrices);
    const struct strassen_task task = strassen_root(matrices);
    trees_put_pointer(&first, matrices->left);
    trees_put_u32(&first, task.left);
    trees_put_u32(&first, task.right);
    trees_put_u32(&first, task.product);
    trees_put_u32(&first, task.n);
    const enum sl_status status =
        trees_run(soc, &program, &arguments->trees, MULTIPLY, &first, NULL);
    if (status == SL_OK) {
        sl_app_result("trees_matmul(%" PRIu32 ") = %.9g", arguments->n,
                      strassen_matrices_sum(matrices));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return strassen_is_within(&arguments->matrices, strassen_bound);
}

static const struct sl_app app = {
    .doc = "Multiply two N x N matrices of floats by fork on a task vector, and check the "
           "product.\vThe result is the sum of all elements.",
    .table = table,
    .arguments = &(struct arguments){.seed = 1},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
