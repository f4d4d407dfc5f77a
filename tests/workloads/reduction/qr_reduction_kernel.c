/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of qr_reduction.c: a work-group adds up a block of values. Each work-item adds four
 * of them that lie side by side, then the group adds in LDS, halving the number of work-items that
 * add at each step. */
#include "sluice/wave/wave.h"
#include "workloads/reduction/qr_reduction.h"

#define EACH REDUCTION_EACH /* 4, as the pragma says, which takes no macro */

static SL_LDS uint32_t partial[REDUCTION_GROUP];

SL_KERNEL void reduction_kernel(const uint32_t *values, uint32_t *sums)
{
    const uint32_t item = sl_local_id(0);
    uint32_t sum = 0;

    values += sl_global_id(0) * EACH;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < EACH; i++) {
        sum += values[i];
    }
    partial[item] = sum;
    sl_barrier();
    for (uint32_t stride = REDUCTION_GROUP / 2; stride > 0; stride /= 2) {
        if (item < stride) {
            partial[item] += partial[item + stride];
        }
        sl_barrier();
    }
    if (item == 0) {
        sums[sl_group_id(0)] = partial[0];
    }
}
