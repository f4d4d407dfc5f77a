/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two N x N matrices of floats (docs/know/consistency-programs.md, "mttop_matmul"),
 * which is multiplied by the right one again. Its kernel is mttop_matmul_kernel.c.
 *
 * The plain C that checks it makes the same fused multiply-adds in the same order, so that all
 * elements have to be equal to the last bit. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/algebra/product.h"
#include "workloads/common/floats.h"
#include "workloads/common/matrix.h"
#include "workloads/common/resident.h"

#define N_DEFAULT     192
#define N_MAX         1024
#define TIMES_DEFAULT 2
#define TIMES_MAX     64

struct arguments {
    uint32_t n;
    uint32_t times;
    uint32_t groups;
    /* In the shared heap. */
    float *left;
    float *right;
    float *products[2]; /* in turn */
};

static const struct argp_option option_table[] = {
    {"times", 't', "NUMBER", 0, "How often to multiply, 1 to 64 (default 2)", 0},
    RESIDENT_OPTION('g'),
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 't':
        arguments->times = (uint32_t)sl_app_number(state, "--times", argument, 1, TIMES_MAX);
        return 0;
    case 'g':
        arguments->groups = resident_groups(state, argument);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Multiply two N x N matrices of floats on the simulated accelerator, the product by the "
           "right one again, and so on, all in one launch, and check the last product.\vN is from "
           "1 to 1024, 192 where it is not given. The result is the sum of all elements.",
};

/* Elements of the right matrix are divided by n, so that products do not grow. */
static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t count = (size_t)arguments->n * arguments->n;
    uint64_t random = 1;
    float *const elements = sl_alloc(soc, 4 * count * sizeof *elements, 0);

    if (elements == NULL) {
        return false;
    }
    arguments->left = elements;
    arguments->right = elements + count;
    arguments->products[0] = elements + 2 * count;
    arguments->products[1] = elements + 3 * count;
    matrix_fill(elements, 2 * count, &random);
    for (size_t i = 0; i < count; i++) {
        arguments->right[i] /= (float)arguments->n;
    }
    return true;
}

static const float *last_product(const struct arguments *arguments)
{
    return arguments->products[(arguments->times - 1) % 2];
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    const uint32_t count = arguments->n * arguments->n;
    const uint64_t constants[] = {(uintptr_t)arguments->left,
                                  (uintptr_t)arguments->right,
                                  (uintptr_t)arguments->products[0],
                                  (uintptr_t)arguments->products[1],
                                  arguments->n,
                                  arguments->times};
    const enum sl_status status =
        resident_run(soc, "mttop_matmul.elf", "matmul_products", arguments->groups,
                     arguments->n * RESIDENT_GROUP, constants, 6);
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
    float *const products = malloc(2 * count * sizeof *products);
    const float *left = arguments->left;

    if (products == NULL) {
        (void)fprintf(stderr, "mttop_matmul: no memory for %zu elements\n", count);
        return false;
    }
    for (uint32_t i = 0; i < arguments->times; i++) {
        float *const product = products + i % 2 * count;
        memset(product, 0, count * sizeof *product);
        product_in_plain_c(left, arguments->right, product, arguments->n);
        left = product;
    }
    const bool is_equal =
        floats_are_equal("mttop_matmul", "element", last_product(arguments), left, count);
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
