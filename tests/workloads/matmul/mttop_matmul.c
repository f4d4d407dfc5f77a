/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two N x N matrices of floats (docs/know/consistency-programs.md, "mttop_matmul"),
 * which is multiplied by the right one again. Its kernel is mttop_matmul_kernel.c.
 *
 * The plain C that checks it makes the same fused multiply-adds in the same order, so that all
 * elements have to be equal to the last bit. */
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/algebra/product.h"
#include "workloads/common/floats.h"
#include "workloads/common/matrix.h"
#include "workloads/common/resident.h"

struct arguments {
    uint32_t n;
    uint32_t times;
    uint32_t groups;
    /* In the shared heap. */
    float *left;
    float *right;
    float *products[2]; /* in turn */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 1024, SL_INTO(struct arguments, n)},
    {"times", 't', SL_NUMBER, 1, 64, SL_INTO(struct arguments, times), "How often to multiply"},
    RESIDENT_ROW(struct arguments, groups),
    {0},
};

/* Elements of the right matrix are divided by n, so that products do not grow. */
static void make(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t count = (size_t)arguments->n * arguments->n;
    uint64_t random = 1;
    float *const elements = sl_app_alloc(soc, 4 * count * sizeof *elements, 0);

    arguments->left = elements;
    arguments->right = elements + count;
    arguments->products[0] = elements + 2 * count;
    arguments->products[1] = elements + 3 * count;
    matrix_fill(elements, 2 * count, &random);
    for (size_t i = 0; i < count; i++) {
        arguments->right[i] /= (float)arguments->n;
    }
}

static const float *last_product(const struct arguments *arguments)
{
    return arguments->products[(arguments->times - 1) % 2];
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t count = arguments->n * arguments->n;

    make(soc, arguments);
    const enum sl_status status =
        resident_run(soc, "matmul_products", arguments->groups, arguments->n * RESIDENT_GROUP,
                     SL_VALUES(arguments->left, arguments->right, arguments->products[0],
                               arguments->products[1], arguments->n, arguments->times));
    if (status == SL_OK) {
        sl_app_result("mttop_matmul(%" PRIu32 ") = %.9g", arguments->n,
                      floats_sum(last_product(arguments), count));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t count = (size_t)arguments->n * arguments->n;
    float *const products = sl_app_memory(2 * count, sizeof *products);
    const float *left = arguments->left;

    for (uint32_t i = 0; i < arguments->times; i++) {
        float *const product = products + i % 2 * count;
        memset(product, 0, count * sizeof *product);
        product_in_plain_c(left, arguments->right, product, arguments->n);
        left = product;
    }
    const bool is_equal = floats_are_equal("element", last_product(arguments), left, count);
    free(products);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Multiply two N x N matrices of floats on the simulated accelerator, the product by the "
           "right one again, and so on, all in one launch, and check the last product.\vThe "
           "result is the sum of all elements.",
    .table = table,
    .arguments = &(struct arguments){.n = 192, .times = 2},
    .kernels = "mttop_matmul.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
