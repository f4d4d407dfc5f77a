/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sparse matrix by vector (docs/know/hybrid-programs.md, "hybrid_spmv"; papers/003 Table 4.2): N
 * rows of 1 to 63 elements in compressed form, a team of lanes for each. The product is multiplied
 * again: a launch for each time. Its kernel is hybrid_spmv_kernel.c. */
#include "workloads/spmv/hybrid_spmv.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/algebra/sparse.h"
#include "workloads/common/floats.h"
#include "workloads/common/hybrid.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"

#define LONGEST 63 /* elements of a row */
#define GROUP   128

struct arguments {
    uint32_t n;
    uint32_t times;
    struct sparse matrix;
    float *vectors[3]; /* the first is multiplied first; the others are products, in turn */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 1048576, SL_INTO(struct arguments, n)},
    {"times", 't', SL_NUMBER, 1, 64, SL_INTO(struct arguments, times), "How often to multiply"},
    {0},
};

static void make(struct sl_soc *soc, struct arguments *arguments)
{
    const uint32_t n = arguments->n;
    uint64_t random = 1;

    sparse_make(soc, n, LONGEST, HYBRID_LINE, &random, &arguments->matrix);
    for (unsigned i = 0; i < 3; i++) {
        arguments->vectors[i] = sl_app_alloc(soc, n * sizeof(float), HYBRID_LINE);
    }
    matrix_fill(arguments->vectors[0], n, &random);
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
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    make(soc, arguments);
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
    const enum sl_status status = launches_run(&launches);
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
    double *const turn = sl_app_memory(2 * (size_t)n, sizeof *turn);

    for (uint32_t i = 0; i < n; i++) {
        turn[i] = (double)arguments->vectors[0][i];
    }
    for (uint32_t i = 0; i < arguments->times; i++) {
        multiply_in_plain_c(&arguments->matrix, turn + i % 2 * (size_t)n,
                            turn + (i + 1) % 2 * (size_t)n);
    }
    const float *const last = arguments->vectors[product_after(arguments->times)];
    const bool is_near = floats_are_near("element", last, turn + arguments->times % 2 * (size_t)n,
                                         n, HYBRID_TOLERANCE);
    free(turn);
    return is_near;
}

static const struct sl_app app = {
    .doc = "Multiply a sparse N x N matrix with a vector on the simulated accelerator, by teams of "
           "lanes, the product again, and so on, and check the last one.\vThe result is the sum of "
           "all elements.",
    .table = table,
    .arguments = &(struct arguments){.n = 49152, .times = 5},
    .kernels = "hybrid_spmv.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
