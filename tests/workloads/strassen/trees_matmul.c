/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two N x N matrices of floats by divide and conquer on a task vector
 * (docs/know/trees.md; papers/000 section 5.6 has a matrix multiply among its programs): what
 * strassen.c does on channel stacks, with eight products that are added atomically. Its kernel is
 * trees_matmul_kernel.c. */
#include <inttypes.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/trees.h"
#include "workloads/strassen/matrices.h"

/* As the kernel's SL_TASKS() numbers them. */
enum { MULTIPLY = 1, FUNCTIONS = 1 };

enum { KEY_SEED = 256 };

struct arguments {
    uint32_t n;
    uint64_t seed;
    struct trees_options trees;
    struct strassen_matrices matrices;
};

static const struct argp_option option_table[] = {
    TREES_OPTIONS,
    {"seed", KEY_SEED, "NUMBER", 0, "Where the elements' random numbers start (default 1)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    if (key == KEY_SEED) {
        arguments->seed = sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    }
    const error_t status = trees_parse(key, argument, state, &arguments->trees);
    return status == ARGP_ERR_UNKNOWN ? strassen_n(key, argument, state, &arguments->n) : status;
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc = "Multiply two N x N matrices of floats by fork on a task vector, and check the "
           "product.\vN is a power of two from 16 to 512. The result is the sum of all elements.",
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

    enum sl_status status =
        strassen_matrices_make(soc, arguments->n, STRASSEN_GROUP, arguments->seed, matrices);
    if (status != SL_OK) {
        return status;
    }
    const struct strassen_task task = strassen_root(matrices);
    trees_put_pointer(&first, matrices->left);
    trees_put_u32(&first, task.left);
    trees_put_u32(&first, task.right);
    trees_put_u32(&first, task.product);
    trees_put_u32(&first, task.n);
    status = trees_run(soc, &program, &arguments->trees, MULTIPLY, &first, NULL);
    if (status == SL_OK) {
        sl_app_result("trees_matmul(%" PRIu32 ") = %.9g", arguments->n,
                      strassen_matrices_sum(matrices));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return strassen_is_within(&arguments->matrices, "trees_matmul", strassen_bound);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.seed = 1};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
