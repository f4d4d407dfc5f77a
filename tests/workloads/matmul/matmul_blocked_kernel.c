/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of matmul.c in style blocked: as the plain one, but each work-item computes 4 x 4
 * elements, which stay in registers, so that eight loads from LDS serve 16 multiply-adds. The
 * elements of a work-item are a work-group's side apart: what a wavefront loads, stores and takes
 * from LDS together lies side by side. Matrices are whole tiles. */
#include "sluice/wave/wave.h"
#include "workloads/matmul/matmul.h"

#define SIDE  MATMUL_BLOCKED_SIDE
#define TILE  MATMUL_BLOCKED_TILE
#define EACH  (TILE / SIDE) /* 4, as the pragmas say, which take no macros */
#define DEPTH 16            /* of the pair of tiles that is in LDS */

static SL_LDS float left_tile[TILE][DEPTH];
static SL_LDS float right_tile[DEPTH][TILE];

static inline void multiply_tiles(const float *left, const float *right, float sum[EACH][EACH])
{
    for (const float *const end = left + DEPTH; left < end; left++, right += TILE) {
#pragma GCC unroll 4
        for (unsigned i = 0; i < EACH; i++) {
#pragma GCC unroll 4
            for (unsigned j = 0; j < EACH; j++) {
                sum[i][j] = __builtin_fmaf(left[i * SIDE * DEPTH], right[j * SIDE], sum[i][j]);
            }
        }
    }
}

SL_KERNEL void matmul_kernel(const float *left, const float *right, float *product, uint64_t n)
{
    const unsigned x = sl_local_id(0), y = sl_local_id(1);
    const uint64_t column = sl_group_id(0) * TILE + x, row = sl_group_id(1) * TILE + y;
    float sum[EACH][EACH] = {{0}};

    left += row * n + x;
    right += y * n + column;
    product += row * n + column;
    for (const float *const end = left + n; left < end; left += DEPTH, right += DEPTH * n) {
#pragma GCC unroll 4
        for (unsigned i = 0; i < EACH; i++) {
            left_tile[y + i * SIDE][x] = left[i * SIDE * n];
            right_tile[y][x + i * SIDE] = right[i * SIDE];
        }
        sl_barrier();
        multiply_tiles(left_tile[y], &right_tile[0][x], sum);
        sl_barrier();
    }
#pragma GCC unroll 4
    for (unsigned i = 0; i < EACH; i++) {
#pragma GCC unroll 4
        for (unsigned j = 0; j < EACH; j++) {
            product[i * SIDE * n + j * SIDE] = sum[i][j];
        }
    }
}
