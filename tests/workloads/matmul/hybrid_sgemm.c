/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two matrices of floats, added to a third (docs/know/hybrid-programs.md,
 * "hybrid_sgemm"; papers/003 Table 4.2): C = alpha A B + beta C, where C is N x N and A is N x
 * INNER. Matrices are padded with zeros to whole tiles. Its kernel is hybrid_sgemm_kernel.c. */
#include "workloads/matmul/hybrid_sgemm.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/hybrid.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"

#define ALPHA 0.75f
#define BETA  0.5f

enum { LEFT_SEED = 1, RIGHT_SEED, PRODUCT_SEED };

struct arguments {
    uint32_t n;
    uint32_t inner;
    uint32_t width; /* of the padded matrices */
    /* In the shared heap: rows of `width` elements, of which the left matrix has its columns. */
    const float *left;
    const float *right;
    const float *product;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 2048, SL_INTO(struct arguments, n)},
    {"inner", 'i', SL_NUMBER, 1, 2048, SL_INTO(struct arguments, inner),
     "Columns of the left matrix"},
    {0},
};

/* Random elements at the beginning of each of so many rows. */
static void fill(float *matrix, size_t rows, size_t columns, size_t width, uint64_t seed)
{
    for (size_t row = 0; row < rows; row++) {
        matrix_fill(matrix + row * width, columns, &seed);
    }
}

/* Rows that are padded, and below them so many more. */
static float *make_matrix(struct sl_soc *soc, const struct arguments *arguments, size_t rows,
                          size_t more, uint64_t seed)
{
    const size_t width = arguments->width;
    float *const matrix = sl_app_alloc(soc, (rows + more) * width * sizeof *matrix, HYBRID_LINE);

    fill(matrix, rows, arguments->n, width, seed);
    return matrix;
}

static void make(struct sl_soc *soc, struct arguments *arguments)
{
    const uint32_t n = arguments->n;

    arguments->width = ((n - 1) / SGEMM_TILE + 1) * SGEMM_TILE;
    arguments->left = make_matrix(soc, arguments, arguments->inner, 0, LEFT_SEED);
    arguments->right = make_matrix(soc, arguments, arguments->inner, 0, RIGHT_SEED);
    arguments->product = make_matrix(soc, arguments, n, arguments->width - n, PRODUCT_SEED);
}

static double mean(const struct arguments *arguments)
{
    const size_t n = arguments->n;
    double sum = 0;

    for (size_t row = 0; row < n; row++) {
        sum += floats_sum(arguments->product + row * arguments->width, n);
    }
    return sum / ((double)n * (double)n);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t group[2] = {SGEMM_COLUMNS, SGEMM_ROWS};
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    make(soc, arguments);
    const uint32_t items[2] = {arguments->width / SGEMM_EACH, arguments->width / SGEMM_EACH};
    launches_add_plane_values(&launches, "sgemm_kernel", items, group, 0,
                              SL_VALUES(arguments->left, arguments->right, arguments->product,
                                        arguments->width, arguments->inner, ALPHA, BETA));
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        sl_app_result("hybrid_sgemm(%" PRIu32 ") = %.9g", arguments->n, mean(arguments));
    }
    return status;
}

/* A row of the product, of which `addend` has what was there before. */
static void multiply_in_plain_c(const struct arguments *arguments, size_t row, const float *addend,
                                double *product)
{
    const size_t n = arguments->n, width = arguments->width;

    for (size_t column = 0; column < n; column++) {
        product[column] = (double)BETA * (double)addend[column];
    }
    for (size_t k = 0; k < arguments->inner; k++) {
        const double element = (double)ALPHA * (double)arguments->left[k * width + row];
        for (size_t column = 0; column < n; column++) {
            product[column] += element * (double)arguments->right[k * width + column];
        }
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t n = arguments->n;
    float *const addend = sl_app_memory(n * n, sizeof *addend);
    double *const wanted = sl_app_memory(n, sizeof *wanted);
    bool is_near = true;

    fill(addend, n, n, n, PRODUCT_SEED);
    for (size_t row = 0; is_near && row < n; row++) {
        multiply_in_plain_c(arguments, row, addend + row * n, wanted);
        is_near = floats_are_near("element of a row", arguments->product + row * arguments->width,
                                  wanted, n, HYBRID_TOLERANCE);
    }
    free(addend);
    free(wanted);
    return is_near;
}

static const struct sl_app app = {
    .doc = "Multiply an N x INNER matrix of floats with an INNER x N one, and add the product to "
           "a third, on the simulated accelerator, and check all elements.\vThe result is the "
           "mean of all elements.",
    .table = table,
    .arguments = &(struct arguments){.n = 768, .inner = 320},
    .kernels = "hybrid_sgemm.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
