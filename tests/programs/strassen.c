/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two N x N matrices of floats as a Cilk program. As the core paper words it (section
 * 7.1): a task divides its matrices into four sub-matrices each, down to blocks of 16 x 16, and
 * products are added up atomically: a tree in which each task has eight children, and no
 * continuations. Its kernel is strassen_kernel.c. The variant with Strassen's seven products is in
 * the folder strassen.
 *
 * The order in which products are added is the machine's, so that the product is compared with one
 * in doubles, within the error that rounding can make. */
#include "programs/strassen/strassen.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/sluice.h"
#include "programs/common/cilk.h"
#include "programs/common/matrix.h"
#include "programs/common/options.h"
#include "programs/common/program.h"
#include "programs/common/report.h"
#include "programs/common/variant.h"
#include "programs/strassen/variant_seven.h"

#define N_MAX            512
#define WIDTH_DEFAULT    8192 /* Table 3 */
#define PAPER_N          512  /* Table 3 */
#define PAPER_WAVEFRONTS 587

enum { KEY_VARIANT = 512, KEY_SEED };

struct strassen_arguments {
    uint32_t n;
    bool is_seven;
    uint64_t seed;
    struct cilk_options cilk;
    float *left; /* with `right` and `product` in shared memory, in the order of strassen.h */
    float *right;
    float *product;
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
        strassen->is_seven = options_choice(state, "--variant", argument, "eight", "seven");
        return 0;
    case KEY_SEED:
        strassen->seed = options_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case ARGP_KEY_END:
        if (strassen->is_seven && !variant_is_packed(strassen->cilk.channel.flags)) {
            argp_failure(
                state, PROGRAM_USAGE, 0,
                "--variant seven has kernels for the channels wavefront, workitem and stamped "
                "only");
        }
        return 0;
    default:
        break;
    }
    const error_t error = options_n(key, argument, state, STRASSEN_BLOCK, N_MAX, &strassen->n);
    if (key == ARGP_KEY_ARG && error == 0) {
        strassen->n = options_power_of_two(state, "N", argument, STRASSEN_BLOCK, N_MAX);
    }
    return error;
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

/* Where an element is (strassen.h). */
static size_t index_of(const struct strassen_arguments *strassen, uint32_t row, uint32_t column)
{
    const uint32_t group = group_of(strassen);
    size_t index = (row % STRASSEN_BLOCK * STRASSEN_BLOCK + column % STRASSEN_BLOCK) * group;
    for (uint32_t side = strassen->n / 2; side >= STRASSEN_BLOCK; side /= 2) {
        index += (row / side % 2 * 2 + column / side % 2) * (size_t)strassen_step(side, group);
    }
    return index;
}

/* Elements of a matrix, which is whole groups: those beyond a small one are not used. */
static size_t elements_of(const struct strassen_arguments *strassen)
{
    const size_t count = (size_t)strassen->n * strassen->n;
    const size_t least = group_of(strassen) * (size_t)STRASSEN_BLOCK * STRASSEN_BLOCK;
    return count > least ? count : least;
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
    sl_graph_argument(graph, multiply, 2, (uintptr_t)strassen->left);
    sl_graph_output_stack(graph, multiply, tasks, STRASSEN_CHILDREN, 1);
    status = cilk_root_make(graph, tasks, &root);
    if (status != SL_OK) {
        return status;
    }
    SL_FIELD(root.view, 0, struct strassen_task, left) = 0;
    SL_FIELD(root.view, 0, struct strassen_task, right) = (uint32_t)elements_of(strassen);
    SL_FIELD(root.view, 0, struct strassen_task, product) = 2 * (uint32_t)elements_of(strassen);
    SL_FIELD(root.view, 0, struct strassen_task, n) = strassen->n;
    return cilk_root_run(soc, graph, &root);
}

static enum sl_status run_strassen(struct sl_soc *soc, void *arguments)
{
    struct strassen_arguments *const strassen = arguments;
    const size_t count = elements_of(strassen);
    uint64_t state = strassen->seed;
    double sum = 0;

    float *const elements = sl_alloc(soc, 3 * count * sizeof *elements, 0);
    if (elements == NULL) {
        return SL_ERROR_USAGE;
    }
    strassen->left = elements;
    strassen->right = elements + count;
    strassen->product = elements + 2 * count;
    matrix_fill(elements, 2 * count, &state);
    memset(strassen->product, 0, count * sizeof *elements);
    const enum sl_status status =
        strassen->is_seven ? variant_seven_run(soc, &strassen->cilk, strassen->n, strassen->left,
                                               strassen->right, strassen->product)
                           : run_eight(soc, strassen);
    if (status == SL_OK) {
        for (size_t i = 0; i < count; i++) {
            sum += (double)strassen->product[i];
        }
        report_result("strassen(%" PRIu32 ") = %.9g", strassen->n, sum);
    }
    return status;
}

/* A product of two elements is rounded by up to 16 multiply-adds in its block, and its sum by up to
 * n/16 - 1 atomic additions (the first one, to zero, is exact): m = 15 + n/16 roundings, each by a
 * factor of at most 1 + u, u being the unit roundoff. The error of a sum is so at most
 * m u / (1 - m u) times the sum of its terms' magnitudes, in whatever order it was added; doubles
 * have theirs, with u^2 for u. */
static double bound_of(const struct strassen_arguments *strassen, double magnitude)
{
    const double roundoff = FLT_EPSILON / 2;
    const double share = (STRASSEN_BLOCK - 1 + strassen->n / STRASSEN_BLOCK) * roundoff;

    return strassen->is_seven ? variant_seven_bound(strassen->n)
                              : magnitude * (share / (1 - share) + strassen->n * DBL_EPSILON);
}

/* A row of the product in doubles, and the sums of its terms' magnitudes. */
static void row_in_doubles(const struct strassen_arguments *strassen, uint32_t row, double *sums,
                           double *magnitudes)
{
    const uint32_t n = strassen->n;

    memset(sums, 0, n * sizeof *sums);
    memset(magnitudes, 0, n * sizeof *magnitudes);
    for (uint32_t k = 0; k < n; k++) {
        const double left = (double)strassen->left[index_of(strassen, row, k)];
        for (uint32_t first = 0; first < n; first += STRASSEN_BLOCK) {
            const float *const right = &strassen->right[index_of(strassen, k, first)];
            for (uint32_t i = 0; i < STRASSEN_BLOCK; i++) {
                const double term = left * (double)right[i * group_of(strassen)];
                sums[first + i] += term;
                magnitudes[first + i] += fabs(term);
            }
        }
    }
}

/* Names the first element that is wrong. */
static bool is_within_bound(const struct strassen_arguments *strassen)
{
    const uint32_t n = strassen->n;
    double *const sums = malloc(2 * n * sizeof *sums);
    double *const magnitudes = sums + n;
    uint64_t wrong = 0;

    if (sums == NULL) {
        (void)fprintf(stderr, "strassen: no memory for two rows of %" PRIu32 " elements\n", n);
        return false;
    }
    for (uint32_t row = 0; row < n; row++) {
        row_in_doubles(strassen, row, sums, magnitudes);
        for (uint32_t column = 0; column < n; column++) {
            const double is = (double)strassen->product[index_of(strassen, row, column)];
            const double bound = bound_of(strassen, magnitudes[column]);
            if (!(fabs(is - sums[column]) <= bound) && wrong++ == 0) {
                (void)fprintf(stderr,
                              "strassen: wrong: row %" PRIu32 ", column %" PRIu32
                              " is %.9g, should be %.9g within %.3g\n",
                              row, column, is, sums[column], bound);
            }
        }
    }
    if (wrong > 0) {
        (void)fprintf(stderr, "strassen: wrong: %" PRIu64 " elements in all\n", wrong);
    }
    free(sums);
    return wrong == 0;
}

static bool is_right(const void *arguments)
{
    const struct strassen_arguments *const strassen = arguments;

    return is_within_bound(strassen) &&
           (!strassen->is_seven || variant_seven_is_right(strassen->n, strassen->left,
                                                          strassen->right, strassen->product));
}

static uint64_t paper_wavefronts(const void *arguments)
{
    const struct strassen_arguments *const strassen = arguments;
    return strassen->n == PAPER_N && !strassen->is_seven && strassen->cilk.width == WIDTH_DEFAULT
               ? PAPER_WAVEFRONTS
               : 0;
}

int main(int argc, char **argv)
{
    struct strassen_arguments strassen = {.seed = 1,
                                          .cilk = {.width = WIDTH_DEFAULT, .has_forms = true}};
    const struct program program = {
        .argp = &strassen_argp,
        .arguments = &strassen,
        .run = run_strassen,
        .is_right = is_right,
        .paper_wavefronts = paper_wavefronts,
    };

    return program_main(&program, argc, argv);
}
