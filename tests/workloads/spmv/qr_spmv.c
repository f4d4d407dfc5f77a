/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sparse matrix by vector (docs/know/quickrelease-programs.md, "qr_spmv"): N rows in compressed
 * form, a work-item for each. The product is multiplied again, as iterative solvers do: a launch
 * for each time, all of them one run. Its kernel is qr_spmv_kernel.c.
 *
 * The plain C that checks it makes the same fused multiply-adds in the same order, so that all
 * elements have to be equal to the last bit. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/algebra/sparse.h"
#include "workloads/common/floats.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"

#define N_DEFAULT     16384
#define N_MAX         1048576
#define TIMES_DEFAULT 4
#define LONGEST       24 /* elements of a row */
#define GROUP         256

struct arguments {
    uint32_t n;
    uint32_t times;
    struct sparse matrix;
    const float *vector; /* that is multiplied first */
    float *product[2];   /* in turn; each but the first is of the one before */
};

static const struct argp_option option_table[] = {
    {"times", 't', "NUMBER", 0, "How often to multiply, 1 to 256 (default 4)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 't':
        arguments->times =
            (uint32_t)sl_app_number(state, "--times", argument, 1, SL_SEQUENCE_LAUNCHES);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Multiply a sparse N x N matrix with a vector on the simulated accelerator, the product "
           "again, and so on, and check the last one.\vN is from 1 to 1048576, 16384 where it is "
           "not given. The result is the sum of all elements.",
};

static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    const uint32_t n = arguments->n;
    uint64_t random = 1;

    if (!sparse_make(soc, n, LONGEST, 0, &random, &arguments->matrix)) {
        return false;
    }
    float *const vectors = sl_alloc(soc, 3 * (size_t)n * sizeof *vectors, 0);
    if (vectors == NULL) {
        return false;
    }
    matrix_fill(vectors, n, &random);
    arguments->vector = vectors;
    arguments->product[0] = vectors + n;
    arguments->product[1] = vectors + 2 * (size_t)n;
    return true;
}

static const float *last_product(const struct arguments *arguments)
{
    return arguments->product[(arguments->times - 1) % 2];
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct sparse *const matrix = &arguments->matrix;
    struct launches launches = {.soc = soc};

    enum sl_status status = sl_app_load(soc, "qr_spmv.elf", &launches.module);
    if (status != SL_OK) {
        return status;
    }
    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    const float *vector = arguments->vector;
    for (uint32_t i = 0; i < arguments->times; i++) {
        float *const product = arguments->product[i % 2];
        const uint64_t constants[] = {(uintptr_t)matrix->begin, (uintptr_t)matrix->column,
                                      (uintptr_t)matrix->value, (uintptr_t)vector,
                                      (uintptr_t)product};
        launches_add(&launches, "spmv_kernel", matrix->rows, GROUP, 0, constants, 5);
        vector = product;
    }
    status = launches_run(&launches);
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
    float *const products = malloc(2 * n * sizeof *products);
    const float *right = arguments->vector;

    if (products == NULL) {
        (void)fprintf(stderr, "qr_spmv: no memory for %zu elements\n", n);
        return false;
    }
    for (uint32_t i = 0; i < arguments->times; i++) {
        float *const product = products + i % 2 * n;
        multiply_in_plain_c(&arguments->matrix, right, product);
        right = product;
    }
    const bool is_equal = floats_are_equal("qr_spmv", "element", last_product(arguments), right, n);
    free(products);
    return is_equal;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT, .times = TIMES_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
