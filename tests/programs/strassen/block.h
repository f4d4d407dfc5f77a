/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels: the base case of strassen.c, the product of two blocks by one lane.
 *
 * A tile of 4 x 4 sums stays in registers, so that eight loads serve sixteen multiply-adds. Each
 * element is one chain of fused multiply-adds, in ascending order of the inner index. */
#ifndef SLUICE_PROGRAMS_STRASSEN_BLOCK_H
#define SLUICE_PROGRAMS_STRASSEN_BLOCK_H

#include <stdint.h>

#include "programs/strassen.h"

#define TILE 4 /* as the pragmas say, which take no macros */

static inline void block_multiply_tile(const float *left, const float *right, float *product,
                                       void (*put)(float *place, float sum))
{
    float sum[TILE][TILE] = {{0}};

    for (unsigned k = 0; k < STRASSEN_BLOCK; k++) {
#pragma GCC unroll 4
        for (unsigned row = 0; row < TILE; row++) {
            const float factor = left[row * STRASSEN_BLOCK + k];
#pragma GCC unroll 4
            for (unsigned column = 0; column < TILE; column++) {
                sum[row][column] =
                    __builtin_fmaf(factor, right[k * STRASSEN_BLOCK + column], sum[row][column]);
            }
        }
    }
#pragma GCC unroll 4
    for (unsigned row = 0; row < TILE; row++) {
#pragma GCC unroll 4
        for (unsigned column = 0; column < TILE; column++) {
            put(&product[row * STRASSEN_BLOCK + column], sum[row][column]);
        }
    }
}

/* `put` does with each element of left x right what has to be done at its place in the product. */
static inline void block_multiply(const float *left, const float *right, float *product,
                                  void (*put)(float *place, float sum))
{
    for (unsigned row = 0; row < STRASSEN_BLOCK; row += TILE) {
        for (unsigned column = 0; column < STRASSEN_BLOCK; column += TILE) {
            block_multiply_tile(left + row * STRASSEN_BLOCK, right + column,
                                product + row * STRASSEN_BLOCK + column, put);
        }
    }
}

#undef TILE

#endif
