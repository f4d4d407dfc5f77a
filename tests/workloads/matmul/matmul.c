/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two N x N matrices of floats: an NDRange whose work-groups compute a tile each and
 * share their operands in LDS. In style tiled, a work-item computes one element (matmul_kernel.c);
 * in style blocked 16 of them, in registers (matmul_blocked_kernel.c), as many as the matrix
 * multiply of the AMD SDK, with which the core paper compares its Strassen (Table 4).
 *
 * The plain C that checks it makes the same fused multiply-adds in the same order, so that all
 * elements have to be equal to the last bit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/matrix.h"
#include "workloads/matmul/matmul.h"

struct arguments {
    uint32_t n;
    uint32_t tile; /* 0: 16 */
    bool is_blocked;
    uint32_t seed;
    bool is_right;
};

struct matrices {
    float *left;
    float *right;
    float *product;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 2048, SL_INTO(struct arguments, n)},
    {"style", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, is_blocked),
     "A work-item computes one element (the default), or 4 x 4 in registers, N being a multiple of "
     "64",
     "tiled|blocked"},
    /* 32 x 32 work-items are a work-group of 1,024. */
    {"tile", 't', SL_NUMBER, 1, 32, SL_INTO(struct arguments, tile),
     "Side of a tile, which is a work-group (default 16); for style tiled", "SIDE"},
    {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct arguments, seed),
     "Where the elements' random numbers start"},
    {0},
};

static void check_style(void *input)
{
    const struct arguments *const arguments = input;
    if (arguments->is_blocked && arguments->tile != 0) {
        sl_argument_fail("--tile: tiles of style blocked have a side of %d", MATMUL_BLOCKED_TILE);
    }
    if (arguments->is_blocked && arguments->n % MATMUL_BLOCKED_TILE != 0) {
        sl_argument_fail("N: %" PRIu32 " is not a multiple of %d, as style blocked wants it",
                         arguments->n, MATMUL_BLOCKED_TILE);
    }
}

/* One row, each of its elements added up in the order in which the kernel does it. */
static void row_in_plain_c(const struct matrices *matrices, uint32_t n, uint32_t row, float *sums)
{
    memset(sums, 0, n * sizeof *sums);
    for (uint32_t k = 0; k < n; k++) {
        const float left = matrices->left[(size_t)row * n + k];
        const float *const right = matrices->right + (size_t)k * n;
        for (uint32_t column = 0; column < n; column++) {
            sums[column] = fmaf(left, right[column], sums[column]);
        }
    }
}

/* Names the first element that is wrong. Adds up the product as it is. */
static bool check(const struct matrices *matrices, uint32_t n, double *sum)
{
    float *const wanted = sl_app_memory(n, sizeof *wanted);
    uint64_t wrong = 0;
    *sum = 0;
    for (uint32_t row = 0; row < n; row++) {
        row_in_plain_c(matrices, n, row, wanted);
        for (uint32_t column = 0; column < n; column++) {
            const float *const is = &matrices->product[(size_t)row * n + column];
            *sum += (double)*is;
            if (memcmp(is, &wanted[column], sizeof *is) != 0 && wrong++ == 0) {
                (void)sl_app_check(false, "row %" PRIu32 ", column %" PRIu32 " is %a, should be %a",
                                   row, column, (double)*is, (double)wanted[column]);
            }
        }
    }
    free(wanted);
    return sl_app_check(wrong == 0, "%" PRIu64 " elements in all", wrong);
}

/* The grid is whole tiles. */
static enum sl_status launch(struct sl_module *module, const struct arguments *arguments,
                             const struct matrices *matrices)
{
    const uint32_t plain = arguments->tile != 0 ? arguments->tile : 16;
    const uint32_t side = arguments->is_blocked ? MATMUL_BLOCKED_SIDE : plain;
    const uint32_t tile = arguments->is_blocked ? MATMUL_BLOCKED_TILE : plain;
    const uint32_t items = (arguments->n + tile - 1) / tile * side;
    const uint32_t grid[3] = {items, items, 1};
    const uint32_t group[3] = {side, side, 1};
    const uint32_t lds_bytes =
        arguments->is_blocked ? 0 : 2 * tile * (tile + 1) * (uint32_t)sizeof(float);
    const uint64_t constants[] = {(uintptr_t)matrices->left, (uintptr_t)matrices->right,
                                  (uintptr_t)matrices->product, arguments->n};

    return sl_launch(module, "matmul_kernel", grid, group, lds_bytes, constants, 4);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const size_t count = (size_t)arguments->n * arguments->n;
    struct sl_module *module;
    double sum;

    enum sl_status status =
        sl_app_load(soc, arguments->is_blocked ? "matmul_blocked.elf" : "matmul.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    float *const elements = sl_app_alloc(soc, 3 * count * sizeof *elements, 0);
    const struct matrices matrices = {elements, elements + count, elements + 2 * count};
    uint64_t state = arguments->seed;
    matrix_fill(elements, 2 * count, &state);
    status = launch(module, arguments, &matrices);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK) {
        arguments->is_right = check(&matrices, arguments->n, &sum);
        sl_app_result("matmul(%" PRIu32 ") = %.9g", arguments->n, sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    return ((const struct arguments *)input)->is_right;
}

static const struct sl_app app = {
    .doc = "Multiply two N x N matrices of floats on the simulated accelerator, and check the "
           "product.\vThe result is the sum of all elements.",
    .table = table,
    .arguments = &(struct arguments){.n = 512, .seed = 1},
    .check = check_style,
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
