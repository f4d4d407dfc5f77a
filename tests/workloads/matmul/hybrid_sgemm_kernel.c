/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of hybrid_sgemm.c: a work-item computes four elements of each of four rows, in
 * registers. They are so far apart that a wavefront's lanes have elements side by side. For each of
 * `inner` steps it loads four elements of a column of the left matrix, as all lanes of a row do,
 * and four of a row of the right one, as all rows do. The left matrix is stored by columns. */
#include "sluice/wave/wave.h"
#include "workloads/matmul/hybrid_sgemm.h"

#define EACH  SGEMM_EACH /* 4, as the pragmas say, which take no macros */
#define APART SGEMM_COLUMNS

static inline void multiply(const float *column, const float *row, float sum[EACH][EACH])
{
#pragma GCC unroll 4
    for (unsigned i = 0; i < EACH; i++) {
#pragma GCC unroll 4
        for (unsigned j = 0; j < EACH; j++) {
            sum[i][j] = __builtin_fmaf(column[i], row[j * APART], sum[i][j]);
        }
    }
}

SL_KERNEL void sgemm_kernel(const float *left, const float *right, float *product, uint64_t width,
                            uint64_t inner, float alpha, float beta)
{
    const uint64_t x = sl_group_id(0) * SGEMM_TILE + sl_local_id(0);
    const uint64_t y = sl_global_id(1) * EACH;
    float sum[EACH][EACH] = {{0}};

    left += y;
    right += x;
    product += y * width + x;
    for (const float *const end = left + inner * width; left != end; left += width) {
        multiply(left, right, sum);
        right += width;
    }
#pragma GCC unroll 4
    for (unsigned i = 0; i < EACH; i++) {
#pragma GCC unroll 4
        for (unsigned j = 0; j < EACH; j++) {
            float *const element = &product[j * APART];
            *element = alpha * sum[i][j] + beta * *element;
        }
        product += width;
    }
}
