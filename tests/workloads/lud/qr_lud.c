/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* LU decomposition of an N x N matrix, in place and by blocks (docs/know/quickrelease-programs.md,
 * "qr_lud"): for each block on the diagonal a launch for it, one for the blocks in its row and
 * column, and one for the rest; all are one run. Its kernels are qr_lud_kernel.c.
 *
 * The plain C that checks it takes element by element, but subtracts from each the same products in
 * the same order, so that all have to be equal to the last bit. */
#include "workloads/lud/qr_lud.h"

#include <math.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"

#define N_MAX   1376 /* 86 blocks: three launches for each but the last, which has one */
#define ALIGNED 64   /* a line */
#define OFFSET  4    /* floats before the matrix begins: see allocate() */

_Static_assert(3 * (N_MAX / BLOCK - 1) + 1 == SL_SEQUENCE_LAUNCHES, "all that a sequence holds");

struct arguments {
    uint32_t n;
    const float *matrix; /* the machine's */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, N_MAX, SL_INTO(struct arguments, n)},
    {0},
};

/* Begins 16 bytes behind a line's beginning, as what a C library allocates does: so the blocks of
 * two work-groups have lines in common. */
static float *allocate(struct sl_soc *soc, size_t count)
{
    return (float *)sl_app_alloc(soc, (count + OFFSET) * sizeof(float), ALIGNED) + OFFSET;
}

/* Random, and the elements on the diagonal larger than all others of their row together: that needs
 * no pivots. */
static void fill(float *matrix, uint32_t n)
{
    uint64_t random = 1;

    matrix_fill(matrix, (size_t)n * n, &random);
    for (size_t i = 0; i < n; i++) {
        matrix[i * n + i] += (float)(n + 1);
    }
}

static enum sl_status decompose(struct launches *launches, const float *matrix, uint32_t n)
{
    const uint32_t side[2] = {BLOCK, BLOCK};

    for (uint32_t corner = 0; corner < n; corner += BLOCK) {
        const uint64_t constants[] = {(uintptr_t)matrix, n, corner};
        const uint32_t left = n - corner;
        launches_add(launches, "lud_diagonal", left < BLOCK ? left : BLOCK, BLOCK, 0, constants, 3);
        if (left > BLOCK) {
            const uint32_t rest = left - BLOCK, blocks = (rest - 1) / BLOCK + 1;
            const uint32_t grid[2] = {rest, rest};
            launches_add(launches, "lud_perimeter", blocks * 2 * BLOCK, 2 * BLOCK, 0, constants, 3);
            launches_add_plane(launches, "lud_internal", grid, side, 0, constants, 3);
        }
    }
    return launches_run(launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};
    float *const matrix = allocate(soc, (size_t)n * n);

    fill(matrix, n);
    const enum sl_status status = decompose(&launches, matrix, n);
    if (status == SL_OK) {
        arguments->matrix = matrix;
        sl_app_result("qr_lud(%" PRIu32 ") = %.9g", n, floats_sum(matrix, (size_t)n * n));
    }
    return status;
}

/* Doolittle's algorithm, row by row. The products that a launch subtracts in blocks beyond its own
 * are added up first. */
static void decompose_in_plain_c(float *matrix, uint32_t n)
{
    for (size_t row = 0; row < n; row++) {
        for (size_t column = 0; column < n; column++) {
            const size_t count = row < column ? row : column;
            const size_t whole = count - count % BLOCK;
            float element = matrix[row * n + column];
            for (size_t first = 0; first < whole; first += BLOCK) {
                float sum = 0;
                for (size_t k = first; k < first + BLOCK; k++) {
                    sum = fmaf(matrix[row * n + k], matrix[k * n + column], sum);
                }
                element -= sum;
            }
            for (size_t k = whole; k < count; k++) {
                element = fmaf(-matrix[row * n + k], matrix[k * n + column], element);
            }
            matrix[row * n + column] =
                column < row ? element / matrix[column * n + column] : element;
        }
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t count = (size_t)arguments->n * arguments->n;
    float *const right = sl_app_memory(count, sizeof *right);

    fill(right, arguments->n);
    decompose_in_plain_c(right, arguments->n);
    const bool is_equal = floats_are_equal("element", arguments->matrix, right, count);
    free(right);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Decompose an N x N matrix of floats into two triangular ones on the simulated "
           "accelerator, and check them.\vThe result is the sum of all elements of both.",
    .table = table,
    .arguments = &(struct arguments){.n = 256},
    .kernels = "qr_lud.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
