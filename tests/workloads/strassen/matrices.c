/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Matrices in block-recursive order, and the check of their product in doubles. */
#include "workloads/strassen/matrices.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/matrix.h"

/* Where an element is (strassen_task.h). */
static size_t index_of(const struct strassen_matrices *matrices, uint32_t row, uint32_t column)
{
    const uint32_t group = matrices->group;
    size_t index = (row % STRASSEN_BLOCK * STRASSEN_BLOCK + column % STRASSEN_BLOCK) * group;
    for (uint32_t side = matrices->n / 2; side >= STRASSEN_BLOCK; side /= 2) {
        index += (row / side % 2 * 2 + column / side % 2) * (size_t)strassen_step(side, group);
    }
    return index;
}

/* Elements of a matrix, which is whole groups: those beyond a small one are not used. */
static size_t elements_of(const struct strassen_matrices *matrices)
{
    const size_t count = (size_t)matrices->n * matrices->n;
    const size_t least = matrices->group * (size_t)STRASSEN_BLOCK * STRASSEN_BLOCK;
    return count > least ? count : least;
}

void strassen_matrices_make(struct sl_soc *soc, uint32_t n, uint32_t group, uint64_t seed,
                            struct strassen_matrices *out)
{
    *out = (struct strassen_matrices){.n = n, .group = group};
    const size_t count = elements_of(out);
    float *const elements = sl_app_alloc(soc, 3 * count * sizeof *elements, 0);
    out->left = elements;
    out->right = elements + count;
    out->product = elements + 2 * count;
    matrix_fill(elements, 2 * count, &seed);
    memset(out->product, 0, count * sizeof *elements);
}

struct strassen_task strassen_root(const struct strassen_matrices *matrices)
{
    const uint32_t count = (uint32_t)elements_of(matrices);
    return (struct strassen_task){
        .left = 0, .right = count, .product = 2 * count, .n = matrices->n};
}

double strassen_matrices_sum(const struct strassen_matrices *matrices)
{
    const size_t count = elements_of(matrices);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)matrices->product[i];
    }
    return sum;
}

/* A product of two elements is rounded by up to 16 multiply-adds in its block, and its sum by up to
 * n/16 - 1 atomic additions (the first one, to zero, is exact): m = 15 + n/16 roundings, each by a
 * factor of at most 1 + u, u being the unit roundoff. The error of a sum is so at most
 * m u / (1 - m u) times the sum of its terms' magnitudes, in whatever order it was added; doubles
 * have theirs, with u^2 for u. */
double strassen_bound(uint32_t n, double magnitude)
{
    const double roundoff = FLT_EPSILON / 2;
    const double share = (STRASSEN_BLOCK - 1 + n / STRASSEN_BLOCK) * roundoff;

    return magnitude * (share / (1 - share) + n * DBL_EPSILON);
}

/* A row of the product in doubles, and the sums of its terms' magnitudes. */
static void row_in_doubles(const struct strassen_matrices *matrices, uint32_t row, double *sums,
                           double *magnitudes)
{
    const uint32_t n = matrices->n;

    memset(sums, 0, n * sizeof *sums);
    memset(magnitudes, 0, n * sizeof *magnitudes);
    for (uint32_t k = 0; k < n; k++) {
        const double left = (double)matrices->left[index_of(matrices, row, k)];
        for (uint32_t first = 0; first < n; first += STRASSEN_BLOCK) {
            const float *const right = &matrices->right[index_of(matrices, k, first)];
            for (uint32_t i = 0; i < STRASSEN_BLOCK; i++) {
                const double term = left * (double)right[i * matrices->group];
                sums[first + i] += term;
                magnitudes[first + i] += fabs(term);
            }
        }
    }
}

bool strassen_is_within(const struct strassen_matrices *matrices,
                        double (*bound)(uint32_t n, double magnitude))
{
    const uint32_t n = matrices->n;
    double *const sums = sl_app_memory(2 * (size_t)n, sizeof *sums);
    double *const magnitudes = sums + n;
    uint64_t wrong = 0;

    for (uint32_t row = 0; row < n; row++) {
        row_in_doubles(matrices, row, sums, magnitudes);
        for (uint32_t column = 0; column < n; column++) {
            const double is = (double)matrices->product[index_of(matrices, row, column)];
            const double most = bound(n, magnitudes[column]);
            if (!(fabs(is - sums[column]) <= most) && wrong++ == 0) {
                (void)sl_app_check(false,
                                   "row %" PRIu32 ", column %" PRIu32
                                   " is %.9g, should be %.9g within %.3g",
                                   row, column, is, sums[column], most);
            }
        }
    }
    free(sums);
    return sl_app_check(wrong == 0, "%" PRIu64 " elements in all", wrong);
}
