/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of qr_dct.c: a work-group, which is a wavefront, transforms a block, table x block x
 * table transposed, and each work-item computes one element of both products. The first one is in
 * LDS. */
#include "sluice/wave/wave.h"
#include "workloads/dct/qr_dct.h"

static SL_LDS float first[DCT_SIDE][DCT_SIDE];

SL_KERNEL void dct_kernel(const float *from, float *to, const float *table, uint64_t width)
{
    const unsigned x = sl_local_id(0), y = sl_local_id(1);
    const uint64_t block = sl_group_id(1) * DCT_SIDE * width + sl_group_id(0) * DCT_SIDE;
    float sum = 0;

    from += block + x;
    for (unsigned k = 0; k < DCT_SIDE; k++) {
        sum = __builtin_fmaf(table[y * DCT_SIDE + k], from[k * width], sum);
    }
    first[y][x] = sum;
    sl_barrier();
    sum = 0;
    for (unsigned k = 0; k < DCT_SIDE; k++) {
        sum = __builtin_fmaf(first[y][k], table[x * DCT_SIDE + k], sum);
    }
    to[block + y * width + x] = sum;
}
