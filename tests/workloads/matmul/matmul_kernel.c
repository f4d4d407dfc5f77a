/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of matmul.c: a work-group computes one tile of the product. It goes along a row of
 * tiles of the left matrix and down a column of tiles of the right one, copies a pair of them into
 * LDS, each work-item an element of each, and adds up between two barriers.
 *
 * The grid is whole tiles; what of them lies outside the matrices counts as zeros and is not
 * stored. Rows in LDS are an element longer than a tile, so that the rows that a wavefront reads
 * together start in different banks. */
#include "sluice/wave/wave.h"

SL_KERNEL void matmul_kernel(const float *left, const float *right, float *product, uint32_t n)
{
    const uint32_t size = sl_group_size(0);
    const uint32_t pitch = size + 1;
    float *const left_tile = sl_lds_dynamic();
    float *const right_tile = left_tile + size * pitch;
    const uint32_t x = sl_local_id(0), y = sl_local_id(1);
    const uint32_t column = sl_global_id(0), row = sl_global_id(1);
    float sum = 0;

    for (uint32_t first = 0; first < n; first += size) {
        const uint32_t across = first + x, down = first + y;
        left_tile[y * pitch + x] = row < n && across < n ? left[(uint64_t)row * n + across] : 0.0f;
        right_tile[y * pitch + x] =
            down < n && column < n ? right[(uint64_t)down * n + column] : 0.0f;
        sl_barrier();
        const float *a = left_tile + y * pitch;
        const float *b = right_tile + x;
        for (const float *const end = a + size; a < end; a++, b += pitch) {
            sum = __builtin_fmaf(*a, *b, sum);
        }
        sl_barrier();
    }
    if (row < n && column < n) {
        product[(uint64_t)row * n + column] = sum;
    }
}
