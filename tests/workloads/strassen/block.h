/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels: the base case of strassen.c's variant with seven products, the product of two blocks
 * by one lane.
 *
 * A tile of 4 x 4 sums stays in registers, and elements are loaded in pairs, so that eight loads
 * serve 32 multiply-adds: lanes have different blocks, and each load goes to as many cache lines as
 * there are blocks. Each element is one chain of fused multiply-adds, in ascending order of the
 * inner index. */
#ifndef SLUICE_WORKLOADS_STRASSEN_BLOCK_H
#define SLUICE_WORKLOADS_STRASSEN_BLOCK_H

#include <stdint.h>

#include "workloads/strassen/strassen_task.h"

#define TILE 4 /* as the pragmas say, which take no macros */

/* Two elements that follow each other, by one access of 8 bytes. */
static inline void block_load_pair(const float *from, float *first, float *second)
{
    union {
        uint64_t bits;
        float element[2];
    } pair;
    __builtin_memcpy(&pair.bits, __builtin_assume_aligned(from, 8), sizeof pair.bits);
    *first = pair.element[0];
    *second = pair.element[1];
}

static inline void block_multiply_tile(const float *left, const float *right, float *product)
{
    float sum[TILE][TILE] = {{0}};

    for (unsigned k = 0; k < STRASSEN_BLOCK; k += 2) {
        float upper[TILE], lower[TILE]; /* of rows k and k + 1 of the right block */
#pragma GCC unroll 4
        for (unsigned column = 0; column < TILE; column += 2) {
            const float *const pair = &right[k * STRASSEN_BLOCK + column];
            block_load_pair(pair, &upper[column], &upper[column + 1]);
            block_load_pair(pair + STRASSEN_BLOCK, &lower[column], &lower[column + 1]);
        }
#pragma GCC unroll 4
        for (unsigned row = 0; row < TILE; row++) {
            float first, second;
            block_load_pair(&left[row * STRASSEN_BLOCK + k], &first, &second);
#pragma GCC unroll 4
            for (unsigned column = 0; column < TILE; column++) {
                float *const to = &sum[row][column];
                *to = __builtin_fmaf(first, upper[column], *to);
                *to = __builtin_fmaf(second, lower[column], *to);
            }
        }
    }
#pragma GCC unroll 4
    for (unsigned row = 0; row < TILE; row++) {
#pragma GCC unroll 4
        for (unsigned column = 0; column < TILE; column++) {
            product[row * STRASSEN_BLOCK + column] = sum[row][column];
        }
    }
}

static inline void block_multiply(const float *left, const float *right, float *product)
{
    for (unsigned row = 0; row < STRASSEN_BLOCK; row += TILE) {
        for (unsigned column = 0; column < STRASSEN_BLOCK; column += TILE) {
            block_multiply_tile(left + row * STRASSEN_BLOCK, right + column,
                                product + row * STRASSEN_BLOCK + column);
        }
    }
}

#undef TILE

#endif
