/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_lud.c. `corner` is the first row, and column, of a block on the diagonal. All
 * work on the matrix where it is: what a step subtracts from an element it stores at once, and the
 * next one loads it. */
#include "sluice/wave/wave.h"
#include "workloads/lud/qr_lud.h"

struct matrix {
    float *elements;
    uint64_t n;
};

static inline __attribute__((always_inline)) float *at(const struct matrix *matrix, uint32_t row,
                                                       uint32_t column)
{
    return matrix->elements + row * matrix->n + column;
}

/* Subtracts from an element its row's elements by its column's, `count` of them from the corner on.
 */
static inline __attribute__((always_inline)) void subtract(const struct matrix *matrix,
                                                           uint32_t row, uint32_t column,
                                                           uint32_t corner, uint32_t count)
{
    volatile float *const element = at(matrix, row, column);
    const float *left = at(matrix, row, corner);
    const float *up = at(matrix, corner, column);

    for (const float *const end = left + count; left < end; left++) {
        *element = __builtin_fmaf(-*left, *up, *element);
        up += matrix->n;
    }
}

/* Decomposes a block on the diagonal: column by column of L, row by row of U. One work-group. */
SL_KERNEL void lud_diagonal(float *elements, uint64_t n, uint32_t corner)
{
    const struct matrix matrix = {elements, n};
    const uint32_t item = sl_local_id(0), items = sl_group_size(0);
    const uint32_t mine = corner + item;

    for (uint32_t i = 0; i + 1 < items; i++) {
        if (item > i) {
            subtract(&matrix, mine, corner + i, corner, i);
            *at(&matrix, mine, corner + i) /= *at(&matrix, corner + i, corner + i);
        }
        sl_barrier();
        if (item > i) {
            subtract(&matrix, corner + i + 1, mine, corner, i + 1);
        }
        sl_barrier();
    }
}

/* The blocks right of it and below it: each work-group has one of either, and a work-item for each
 * column of the one, and each row of the other. */
SL_KERNEL void lud_perimeter(float *elements, uint64_t n, uint32_t corner)
{
    const struct matrix matrix = {elements, n};
    const uint32_t item = sl_local_id(0);
    const uint32_t mine = corner + (sl_group_id(0) + 1) * BLOCK + item % BLOCK;

    if (mine < n && item < BLOCK) {
        for (uint32_t i = 1; i < BLOCK; i++) {
            subtract(&matrix, corner + i, mine, corner, i);
        }
    } else if (mine < n) {
        for (uint32_t i = 0; i < BLOCK; i++) {
            subtract(&matrix, mine, corner + i, corner, i);
            *at(&matrix, mine, corner + i) /= *at(&matrix, corner + i, corner + i);
        }
    }
}

/* All blocks that are right of and below it: subtracts the product of what the perimeter has in
 * their rows and columns. A work-item for each element. */
SL_KERNEL void lud_internal(float *elements, uint64_t n, uint32_t corner)
{
    const struct matrix matrix = {elements, n};
    const uint32_t row = corner + BLOCK + sl_global_id(1);
    const uint32_t column = corner + BLOCK + sl_global_id(0);
    const float *left = at(&matrix, row, corner);
    const float *up = at(&matrix, corner, column);
    float sum = 0;

    for (const float *const end = left + BLOCK; left < end; left++) {
        sum = __builtin_fmaf(*left, *up, sum);
        up += n;
    }
    *at(&matrix, row, column) -= sum;
}
