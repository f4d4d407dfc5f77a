/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Product of two N x N matrices of floats: an NDRange whose work-groups compute a tile each and
 * share their operands in LDS. In style tiled, a work-item computes one element (matmul_kernel.c);
 * in style blocked 16 of them, in registers (matmul_blocked_kernel.c), as many as the matrix
 * multiply of the AMD SDK, with which the core paper compares its Strassen (Table 4).
 *
 * The plain C that checks it makes the same fused multiply-adds in the same order, so that all
 * elements have to be equal to the last bit. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/matrix.h"
#include "workloads/matmul/matmul.h"

#define N_DEFAULT    512
#define N_MAX        2048
#define TILE_DEFAULT 16
#define TILE_MAX     32 /* 32 x 32 work-items are a work-group of 1,024 */

enum { KEY_STYLE = 256 };

struct arguments {
    uint32_t n;
    uint32_t tile; /* 0: 16 */
    bool is_blocked;
    uint64_t seed;
    bool is_right;
};

struct matrices {
    float *left;
    float *right;
    float *product;
};

static const struct argp_option option_table[] = {
    {"style", KEY_STYLE, "tiled|blocked", 0,
     "A work-item computes one element (the default), or 4 x 4 in registers, N being a multiple of "
     "64",
     0},
    {"tile", 't', "SIDE", 0,
     "Side of a tile, which is a work-group, 1 to 32 (default 16); for style tiled", 0},
    {"seed", 's', "NUMBER", 0, "Where the elements' random numbers start (default 1)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case KEY_STYLE:
        arguments->is_blocked = sl_app_choice(state, "--style", argument, "tiled", "blocked");
        return 0;
    case 't':
        arguments->tile = (uint32_t)sl_app_number(state, "--tile", argument, 1, TILE_MAX);
        return 0;
    case 's':
        arguments->seed = sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case ARGP_KEY_END:
        if (arguments->is_blocked && arguments->tile != 0) {
            argp_error(state, "--tile: tiles of style blocked have a side of %d",
                       MATMUL_BLOCKED_TILE);
        }
        if (arguments->is_blocked && arguments->n % MATMUL_BLOCKED_TILE != 0) {
            argp_error(state, "N: %" PRIu32 " is not a multiple of %d, as style blocked wants it",
                       arguments->n, MATMUL_BLOCKED_TILE);
        }
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Multiply two N x N matrices of floats on the simulated accelerator, and check the "
           "product.\vN is from 1 to 2048, 512 where it is not given. The result is the sum of all "
           "elements.",
};

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
    float *const wanted = malloc(n * sizeof *wanted);
    uint64_t wrong = 0;
    *sum = 0;
    if (wanted == NULL) {
        (void)fprintf(stderr, "matmul: no memory for a row of %" PRIu32 " elements\n", n);
        return false;
    }
    for (uint32_t row = 0; row < n; row++) {
        row_in_plain_c(matrices, n, row, wanted);
        for (uint32_t column = 0; column < n; column++) {
            const float *const is = &matrices->product[(size_t)row * n + column];
            *sum += (double)*is;
            if (memcmp(is, &wanted[column], sizeof *is) != 0 && wrong++ == 0) {
                (void)fprintf(stderr,
                              "matmul: wrong: row %" PRIu32 ", column %" PRIu32
                              " is %a, should be %a\n",
                              row, column, (double)*is, (double)wanted[column]);
            }
        }
    }
    if (wrong > 0) {
        (void)fprintf(stderr, "matmul: wrong: %" PRIu64 " elements in all\n", wrong);
    }
    free(wanted);
    return wrong == 0;
}

/* The grid is whole tiles. */
static enum sl_status launch(struct sl_module *module, const struct arguments *arguments,
                             const struct matrices *matrices)
{
    const uint32_t plain = arguments->tile != 0 ? arguments->tile : TILE_DEFAULT;
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
    float *const elements = sl_alloc(soc, 3 * count * sizeof *elements, 0);
    if (elements == NULL) {
        return SL_ERROR_USAGE;
    }
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

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT, .seed = 1};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
