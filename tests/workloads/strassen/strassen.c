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

#include <inttypes.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/cilk.h"
#include "workloads/common/paper.h"
#include "workloads/common/variant.h"
#include "workloads/strassen/matrices.h"
#include "workloads/strassen/variant_seven.h"

#define WIDTH_DEFAULT    8192 /* Table 3 */
#define PAPER_N          512  /* Table 3 */
#define PAPER_WAVEFRONTS 587

enum { KEY_VARIANT = 512, KEY_SEED };

struct strassen_arguments {
    uint32_t n;
    bool is_seven;
    uint64_t seed;
    struct cilk_options cilk;
    struct strassen_matrices matrices;
};

static const struct argp_option option_table[] = {
    {"variant", KEY_VARIANT, "eight|seven", 0,
     "Eight products that are added atomically (the default), or Strassen's seven", 0},
    {"seed", KEY_SEED, "NUMBER", 0, "Where the elements' random numbers start (default 1)", 0},
    {0},
};

static error_t parse_strassen(int key, char *argument, struct argp_state *state)
{
    struct strassen_arguments *const strassen = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &strassen->cilk;
        return 0;
    case KEY_VARIANT:
        strassen->is_seven = sl_app_choice(state, "--variant", argument, "eight", "seven");
        return 0;
    case KEY_SEED:
        strassen->seed = sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case ARGP_KEY_END:
        if (strassen->is_seven && !variant_is_packed(strassen->cilk.channel.flags)) {
            argp_failure(
                state, SL_APP_USAGE, 0,
                "--variant seven has kernels for the channels wavefront, workitem and stamped "
                "only");
        }
        return 0;
    default:
        break;
    }
    return strassen_n(key, argument, state, &strassen->n);
}

static const struct argp_child strassen_children[] = {{&cilk_channels_argp, 0, NULL, 0}, {0}};
static const struct argp strassen_argp = {
    .options = option_table,
    .parser = parse_strassen,
    .args_doc = "N",
    .doc = "Multiply two N x N matrices of floats as a Cilk program on channel stacks, and check "
           "the product.\vN is a power of two from 16 to 512. The result is the sum of all "
           "elements.",
    .children = strassen_children,
};

/* Blocks of a group: the variant with seven products adds up whole sub-matrices, which are not to
 * be in pieces. */
static uint32_t group_of(const struct strassen_arguments *strassen)
{
    return strassen->is_seven ? 1 : STRASSEN_GROUP;
}

static enum sl_status run_eight(struct sl_soc *soc, struct strassen_arguments *strassen)
{
    struct sl_graph_builder *graph;
    struct cilk_root root;
    char file[32];
    int multiply;

    enum sl_status status = cilk_begin(
        soc, &strassen->cilk,
        variant_file("strassen", strassen->cilk.channel.flags, true, file, sizeof file), &graph);
    if (status != SL_OK) {
        return status;
    }
    const int tasks = cilk_tasks(graph, &strassen->cilk, "tasks", sizeof(struct strassen_task),
                                 strassen_levels(strassen->n), "strassen_multiply", &multiply);
    sl_graph_argument(graph, multiply, 2, (uintptr_t)strassen->matrices.left);
    sl_graph_output_stack(graph, multiply, tasks, STRASSEN_CHILDREN, 1);
    status = cilk_root_make(graph, tasks, &root);
    if (status != SL_OK) {
        return status;
    }
    const struct strassen_task task = strassen_root(&strassen->matrices);
    SL_FIELD(root.view, 0, struct strassen_task, left) = task.left;
    SL_FIELD(root.view, 0, struct strassen_task, right) = task.right;
    SL_FIELD(root.view, 0, struct strassen_task, product) = task.product;
    SL_FIELD(root.view, 0, struct strassen_task, n) = task.n;
    return cilk_root_run(soc, graph, &root);
}

static enum sl_status run_strassen(struct sl_soc *soc, void *arguments)
{
    struct strassen_arguments *const strassen = arguments;
    struct strassen_matrices *const matrices = &strassen->matrices;

    enum sl_status status =
        strassen_matrices_make(soc, strassen->n, group_of(strassen), strassen->seed, matrices);
    if (status != SL_OK) {
        return status;
    }
    status = strassen->is_seven
                 ? variant_seven_run(soc, &strassen->cilk, strassen->n, matrices->left,
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

static bool is_right(const void *arguments)
{
    const struct strassen_arguments *const strassen = arguments;
    const struct strassen_matrices *const matrices = &strassen->matrices;

    return strassen->is_seven ? strassen_is_within(matrices, "strassen", seven_bound) &&
                                    variant_seven_is_right(strassen->n, matrices->left,
                                                           matrices->right, matrices->product)
                              : strassen_is_within(matrices, "strassen", strassen_bound);
}

static void print_paper(const struct sl_soc *soc, const void *arguments)
{
    const struct strassen_arguments *const strassen = arguments;
    if (strassen->n == PAPER_N && !strassen->is_seven && strassen->cilk.width == WIDTH_DEFAULT) {
        paper_wavefronts(soc, PAPER_WAVEFRONTS);
    }
}

int main(int argc, char **argv)
{
    struct strassen_arguments strassen = {.seed = 1,
                                          .cilk = {.width = WIDTH_DEFAULT, .has_forms = true}};
    const struct sl_app app = {
        .argp = &strassen_argp,
        .arguments = &strassen,
        .run = run_strassen,
        .is_right = is_right,
        .print_after = print_paper,
    };

    return sl_app_main(&app, argc, argv);
}
