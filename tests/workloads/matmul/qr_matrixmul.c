/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two N x N matrices of floats (docs/know/quickrelease-programs.md, "qr_matrixmul"):
 * work-groups of a single wavefront that share the left operand in LDS and the right one in the L1.
 * Matrices are padded with zeros to whole tiles. Its kernel is qr_matrixmul_kernel.c.
 *
 * The plain C that checks it makes the same fused multiply-adds in the same order, so that all
 * elements have to be equal to the last bit. */
#include "workloads/matmul/qr_matrixmul.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/algebra/product.h"
#include "workloads/common/floats.h"
#include "workloads/common/matrix.h"

#define N_DEFAULT 320
#define N_MAX     1024

struct arguments {
    uint32_t n;
    uint32_t width; /* of the padded matrices */
    const float *left;
    const float *right;
    const float *product;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Multiply two N x N matrices of floats on the simulated accelerator, and check the "
           "product.\vN is from 1 to 1024, 320 where it is not given. The result is the sum of all "
           "elements.",
};

/* Two matrices of random elements, and one to come. */
static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t n = arguments->n;
    const size_t width = (n + MATRIXMUL_TILE - 1) / MATRIXMUL_TILE * MATRIXMUL_TILE;
    float *const elements = sl_alloc(soc, 3 * width * width * sizeof *elements, 0);
    uint64_t random = 1;

    if (elements == NULL) {
        return false;
    }
    arguments->width = (uint32_t)width;
    arguments->left = elements;
    arguments->right = elements + width * width;
    arguments->product = elements + 2 * width * width;
    for (size_t row = 0; row < n; row++) {
        matrix_fill(elements + row * width, n, &random);
        matrix_fill(elements + (width + row) * width, n, &random);
    }
    return true;
}

static enum sl_status launch(struct sl_module *module, const struct arguments *arguments)
{
    const uint32_t items = arguments->width / MATRIXMUL_EACH;
    const uint32_t grid[3] = {items, items, 1};
    const uint32_t group[3] = {MATRIXMUL_SIDE, MATRIXMUL_SIDE, 1};
    const uint64_t constants[] = {(uintptr_t)arguments->left, (uintptr_t)arguments->right,
                                  (uintptr_t)arguments->product, arguments->width};

    return sl_launch(module, "matrixmul_kernel", grid, group, 0, constants, 4);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "qr_matrixmul.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    status = launch(module, arguments);
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
    float *const wanted = calloc(count, sizeof *wanted);

    if (wanted == NULL) {
        (void)fprintf(stderr, "qr_matrixmul: no memory for %zu elements\n", count);
        return false;
    }
    product_in_plain_c(arguments->left, arguments->right, wanted, arguments->width);
    const bool is_equal =
        floats_are_equal("qr_matrixmul", "element", arguments->product, wanted, count);
    free(wanted);
    return is_equal;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
