/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sparse matrix by vector (docs/know/quickrelease-programs.md, "qr_spmv"): N rows in compressed
 * form, a work-item for each. The product is multiplied again, as iterative solvers do: a launch
 * for each time, all of them one run. Its kernel is qr_spmv_kernel.c.
 *
 * The plain C that checks it makes the same fused multiply-adds in the same order, so that all
 * elements have to be equal to the last bit. */
#include <math.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/algebra/sparse.h"
#include "workloads/common/floats.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"

#define LONGEST 24 /* elements of a row */
#define GROUP   256

struct arguments {
    uint32_t n;
    uint32_t times;
    struct sparse matrix;
    const float *vector; /* that is multiplied first */
    float *product[2];   /* in turn; each but the first is of the one before */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 1048576, SL_INTO(struct arguments, n)},
    {"times", 't', SL_NUMBER, 1, SL_SEQUENCE_LAUNCHES, SL_INTO(struct arguments, times),
     "How often to multiply"},
    {0},
};

static void make(struct sl_soc *soc, struct arguments *arguments)
{
    const uint32_t n = arguments->n;
    uint64_t random = 1;

    sparse_make(soc, n, LONGEST, 0, &random, &arguments->matrix);
    float *const vectors = sl_app_alloc(soc, 3 * (size_t)n * sizeof *vectors, 0);
    matrix_fill(vectors, n, &random);
    arguments->vector = vectors;
    arguments->product[0] = vectors + n;
    arguments->product[1] = vectors + 2 * (size_t)n;
}

static const float *last_product(const struct arguments *arguments)
{
    return arguments->product[(arguments->times - 1) % 2];
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct sparse *const matrix = &arguments->matrix;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    make(soc, arguments);
    const float *vector = arguments->vector;
    for (uint32_t i = 0; i < arguments->times; i++) {
        float *const product = arguments->product[i % 2];
        const uint64_t constants[] = {(uintptr_t)matrix->begin, (uintptr_t)matrix->column,
                                      (uintptr_t)matrix->value, (uintptr_t)vector,
                                      (uintptr_t)product};
        launches_add(&launches, "spmv_kernel", matrix->rows, GROUP, 0, constants, 5);
        vector = product;
    }
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        sl_app_result("qr_spmv(%" PRIu32 ") = %.9g", arguments->n,
                      floats_sum(last_product(arguments), arguments->n));
    }
    return status;
}

static void multiply_in_plain_c(const struct sparse *matrix, const float *vector, float *product)
{
    for (uint32_t row = 0; row < matrix->rows; row++) {
        product[row] = 0;
        for (uint32_t i = matrix->begin[row]; i < matrix->begin[row + 1]; i++) {
            product[row] = fmaf(matrix->value[i], vector[matrix->column[i]], product[row]);
        }
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t n = arguments->n;
    float *const products = sl_app_memory(2 * n, sizeof *products);
    const float *right = arguments->vector;

    for (uint32_t i = 0; i < arguments->times; i++) {
        float *const product = products + i % 2 * n;
        multiply_in_plain_c(&arguments->matrix, right, product);
        right = product;
    }
    const bool is_equal = floats_are_equal("element", last_product(arguments), right, n);
    free(products);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Multiply a sparse N x N matrix with a vector on the simulated accelerator, the product "
           "again, and so on, and check the last one.\vThe result is the sum of all elements.",
    .table = table,
    .arguments = &(struct arguments){.n = 16384, .times = 4},
    .kernels = "qr_spmv.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
