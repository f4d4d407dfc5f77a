/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels: the base case of strassen.c with eight products. One lane adds the product of two
 * blocks to a third, in the order of elements of strassen_task.h: lanes that have the blocks of a
 * group load from one cache line.
 *
 * A tile of 4 x 4 sums stays in registers, so that eight loads serve 16 multiply-adds. Each sum is
 * one chain of fused multiply-adds, in ascending order of the inner index. */
#ifndef SLUICE_WORKLOADS_STRASSEN_GROUP_H
#define SLUICE_WORKLOADS_STRASSEN_GROUP_H

#include "sluice/wave/wave.h"
#include "workloads/strassen/strassen_task.h"

#define TILE 4 /* as the pragmas say, which take no macros */

/* From a block's first element to that of a row and column. */
static inline unsigned group_place(unsigned row, unsigned column)
{
    return (row * STRASSEN_BLOCK + column) * STRASSEN_GROUP;
}

static inline void group_multiply_tile(const float *left, const float *right, float *product)
{
    float sum[TILE][TILE] = {{0}};

    for (unsigned k = 0; k < STRASSEN_BLOCK; k++) {
#pragma GCC unroll 4
        for (unsigned row = 0; row < TILE; row++) {
#pragma GCC unroll 4
            for (unsigned column = 0; column < TILE; column++) {
                sum[row][column] = __builtin_fmaf(left[group_place(row, k)],
                                                  right[group_place(k, column)], sum[row][column]);
            }
        }
    }
#pragma GCC unroll 4
    for (unsigned row = 0; row < TILE; row++) {
#pragma GCC unroll 4
        for (unsigned column = 0; column < TILE; column++) {
            sl_atomic_accumulate_f32(&product[group_place(row, column)], sum[row][column]);
        }
    }
}

static inline void group_multiply(const float *left, const float *right, float *product)
{
    for (unsigned row = 0; row < STRASSEN_BLOCK; row += TILE) {
        for (unsigned column = 0; column < STRASSEN_BLOCK; column += TILE) {
            group_multiply_tile(left + group_place(row, 0), right + group_place(0, column),
                                product + group_place(row, column));
        }
    }
}

#undef TILE

#endif
