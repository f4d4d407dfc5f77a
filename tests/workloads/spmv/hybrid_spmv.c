/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sparse matrix by vector (docs/know/hybrid-programs.md, "hybrid_spmv"; papers/003 Table 4.2): N
 * rows of 1 to 63 elements in compressed form, a team of lanes for each. The product is multiplied
 * again: a launch for each time. Its kernel is hybrid_spmv_kernel.c. */
#include "workloads/spmv/hybrid_spmv.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/algebra/sparse.h"
#include "workloads/common/floats.h"
#include "workloads/common/hybrid.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"

#define N_DEFAULT     49152
#define N_MAX         1048576
#define TIMES_DEFAULT 5
#define TIMES_MAX     64
#define LONGEST       63 /* elements of a row */
#define GROUP         128

struct arguments {
    uint32_t n;
    uint32_t times;
    struct sparse matrix;
    float *vectors[3]; /* the first is multiplied first; the others are products, in turn */
};

static const struct argp_option option_table[] = {
    {"times", 't', "NUMBER", 0, "How often to multiply, 1 to 64 (default 5)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    if (key == 't') {
        arguments->times = (uint32_t)sl_app_number(state, "--times", argument, 1, TIMES_MAX);
        return 0;
    }
    return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Multiply a sparse N x N matrix with a vector on the simulated accelerator, by teams of "
           "lanes, the product again, and so on, and check the last one.\vN is from 1 to 1048576, "
           "49152 where it is not given. The result is the sum of all elements.",
};

static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    struct sparse *const matrix = &arguments->matrix;
    const uint32_t n = arguments->n;
    uint64_t random = 1;

    if (!sparse_make(soc, n, LONGEST, HYBRID_LINE, &random, matrix)) {
        return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        arguments->vectors[i] = sl_alloc(soc, n * sizeof(float), HYBRID_LINE);
        if (arguments->vectors[i] == NULL) {
            return false;
        }
    }
    matrix_fill(arguments->vectors[0], n, &random);
    return true;
}

/* Of the three, the product of so many times. */
static unsigned product_after(uint32_t times)
{
    return times == 0 ? 0 : 1 + (times - 1) % 2;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct sparse *const matrix = &arguments->matrix;
    struct launches launches = {.soc = soc};

    enum sl_status status = sl_app_load(soc, "hybrid_spmv.elf", &launches.module);
    if (status != SL_OK) {
        return status;
    }
    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    for (uint32_t i = 0; i < arguments->times; i++) {
        const uint64_t constants[] = {(uintptr_t)matrix->begin,
                                      (uintptr_t)matrix->column,
                                      (uintptr_t)matrix->value,
                                      (uintptr_t)arguments->vectors[product_after(i)],
                                      (uintptr_t)arguments->vectors[product_after(i + 1)],
                                      matrix->rows};
        launches_add(&launches, "spmv_kernel", matrix->rows << SPMV_TEAM_LOG2, GROUP, 0, constants,
                     6);
    }
    status = launches_run(&launches);
    if (status == SL_OK) {
        const float *const last = arguments->vectors[product_after(arguments->times)];
        sl_app_result("hybrid_spmv(%" PRIu32 ") = %.9g", arguments->n,
                      floats_sum(last, arguments->n));
    }
    return status;
}

static void multiply_in_plain_c(const struct sparse *matrix, const double *vector, double *product)
{
    for (uint32_t row = 0; row < matrix->rows; row++) {
        product[row] = 0;
        for (uint32_t i = matrix->begin[row]; i < matrix->begin[row + 1]; i++) {
            product[row] += (double)matrix->value[i] * vector[matrix->column[i]];
        }
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    double *const turn = malloc(2 * (size_t)n * sizeof *turn);

    if (turn == NULL) {
        (void)fprintf(stderr, "hybrid_spmv: no memory for %" PRIu32 " elements\n", n);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        turn[i] = (double)arguments->vectors[0][i];
    }
    for (uint32_t i = 0; i < arguments->times; i++) {
        multiply_in_plain_c(&arguments->matrix, turn + i % 2 * (size_t)n,
                            turn + (i + 1) % 2 * (size_t)n);
    }
    const float *const last = arguments->vectors[product_after(arguments->times)];
    const bool is_near =
        floats_are_near("hybrid_spmv", "element", last, turn + arguments->times % 2 * (size_t)n, n,
                        HYBRID_TOLERANCE);
    free(turn);
    return is_near;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT, .times = TIMES_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
