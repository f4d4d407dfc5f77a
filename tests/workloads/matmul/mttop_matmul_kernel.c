/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of mttop_matmul.c. A work-group computes a row after the other, and a work-item an
 * element after the other: a row of the left matrix, which it shares with its neighbours, by a
 * column of the right one. */
#include "sluice/wave/device_barrier.h"
#include "sluice/wave/wave.h"

static inline float row_by_column(const float *row, const float *column, uint32_t n)
{
    float sum = 0;

    for (const float *const end = row + n; row < end; row++) {
        sum = __builtin_fmaf(*row, *column, sum);
        column += n;
    }
    return sum;
}

SL_KERNEL void matmul_products(struct sl_device_barrier *barrier, const float *left,
                               const float *right, float *product, float *other, uint32_t n,
                               uint32_t times)
{
    for (uint32_t time = 0; time < times; time++) {
        for (uint32_t row = sl_group_id(0); row < n; row += sl_group_count(0)) {
            const uint64_t first = (uint64_t)row * n;
            for (uint32_t i = sl_local_id(0); i < n; i += sl_group_size(0)) {
                product[first + i] = row_by_column(left + first, right + i, n);
            }
        }
        sl_device_barrier(barrier);
        float *const next = time == 0 ? other : (float *)left;
        left = product;
        product = next;
    }
}
