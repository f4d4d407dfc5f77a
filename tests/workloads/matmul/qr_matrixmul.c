/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two N x N matrices of floats (docs/know/quickrelease-programs.md, "qr_matrixmul"):
 * work-groups of a single wavefront that share the left operand in LDS and the right one in the L1.
 * Matrices are padded with zeros to whole tiles. Its kernel is qr_matrixmul_kernel.c.
 *
 * The plain C that checks it makes the same fused multiply-adds in the same order, so that all
 * elements have to be equal to the last bit. */
#include "workloads/matmul/qr_matrixmul.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/algebra/product.h"
#include "workloads/common/floats.h"
#include "workloads/common/matrix.h"

struct arguments {
    uint32_t n;
    uint32_t width; /* of the padded matrices */
    const float *left;
    const float *right;
    const float *product;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 1024, SL_INTO(struct arguments, n)},
    {0},
};

/* Two matrices of random elements, and one to come. */
static void make(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t n = arguments->n;
    const size_t width = (n + MATRIXMUL_TILE - 1) / MATRIXMUL_TILE * MATRIXMUL_TILE;
    float *const elements = sl_app_alloc(soc, 3 * width * width * sizeof *elements, 0);
    uint64_t random = 1;

    arguments->width = (uint32_t)width;
    arguments->left = elements;
    arguments->right = elements + width * width;
    arguments->product = elements + 2 * width * width;
    for (size_t row = 0; row < n; row++) {
        matrix_fill(elements + row * width, n, &random);
        matrix_fill(elements + (width + row) * width, n, &random);
    }
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    make(soc, arguments);
    const uint32_t items = arguments->width / MATRIXMUL_EACH;
    const uint32_t grid[3] = {items, items, 1};
    const uint32_t group[3] = {MATRIXMUL_SIDE, MATRIXMUL_SIDE, 1};
    enum sl_status status = sl_launch_values(
        sl_app_kernels(soc), "matrixmul_kernel", grid, group, 0,
        SL_VALUES(arguments->left, arguments->right, arguments->product, arguments->width));
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK) {
        const size_t count = (size_t)arguments->width * arguments->width;
        sl_app_result("qr_matrixmul(%" PRIu32 ") = %.9g", arguments->n,
                      floats_sum(arguments->product, count));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t count = (size_t)arguments->width * arguments->width;
    float *const wanted = sl_app_memory(count, sizeof *wanted);

    product_in_plain_c(arguments->left, arguments->right, wanted, arguments->width);
    const bool is_equal = floats_are_equal("element", arguments->product, wanted, count);
    free(wanted);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Multiply two N x N matrices of floats on the simulated accelerator, and check the "
           "product.\vThe result is the sum of all elements.",
    .table = table,
    .arguments = &(struct arguments){.n = 320},
    .kernels = "qr_matrixmul.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
