/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of qr_matrixmul.c: a work-item computes 4 x 4 elements that lie side by side, in
 * registers. The left matrix comes through LDS, a tile at a time; of the right one each work-item
 * loads four elements of a row itself, as its neighbours above and below do. Matrices are whole
 * tiles. A row in LDS has an element more, so that rows begin in different banks. */
#include "sluice/wave/wave.h"
#include "workloads/matmul/qr_matrixmul.h"

#define EACH MATRIXMUL_EACH /* 4, as the pragmas say, which take no macros */
#define TILE MATRIXMUL_TILE

static SL_LDS float left_tile[TILE][TILE + 1];

static inline void load_left(const float *left, uint64_t width, unsigned x, unsigned y)
{
#pragma GCC unroll 4
    for (unsigned i = 0; i < EACH; i++) {
#pragma GCC unroll 4
        for (unsigned j = 0; j < EACH; j++) {
            left_tile[y + i][x + j] = left[(y + i) * width + x + j];
        }
    }
}

/* Adds a column of the tile in LDS times a row of the right matrix. */
static inline void multiply(const float *column, const float *row, float sum[EACH][EACH])
{
#pragma GCC unroll 4
    for (unsigned i = 0; i < EACH; i++) {
#pragma GCC unroll 4
        for (unsigned j = 0; j < EACH; j++) {
            sum[i][j] = __builtin_fmaf(column[i * (TILE + 1)], row[j], sum[i][j]);
        }
    }
}

SL_KERNEL void matrixmul_kernel(const float *left, const float *right, float *product,
                                uint64_t width)
{
    const unsigned x = sl_local_id(0) * EACH, y = sl_local_id(1) * EACH;
    const uint64_t column = sl_group_id(0) * TILE + x, row = sl_group_id(1) * TILE;
    float sum[EACH][EACH] = {{0}};

    left += row * width;
    right += column;
    product += (row + y) * width + column;
    for (const float *const end = left + width; left < end; left += TILE) {
        load_left(left, width, x, y);
        sl_barrier();
        for (unsigned k = 0; k < TILE; k++, right += width) {
            multiply(&left_tile[y][k], right, sum);
        }
        sl_barrier();
    }
#pragma GCC unroll 4
    for (unsigned i = 0; i < EACH; i++) {
#pragma GCC unroll 4
        for (unsigned j = 0; j < EACH; j++) {
            product[i * width + j] = sum[i][j];
        }
    }
}
