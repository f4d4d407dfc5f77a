/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of reduce.c: a work-group adds up its values in LDS, halving the number of work-items
 * that add at each step, and its first work-item adds the group's sum to the result. The LDS, 8
 * bytes for each work-item, comes with the launch. */
#include "sluice/wave/wave.h"

SL_KERNEL void reduce_kernel(const uint32_t *values, uint64_t *result)
{
    uint64_t *const partial = sl_lds_dynamic();
    const uint32_t item = sl_local_id(0);
    const uint32_t count = sl_group_items(0);

    partial[item] = values[sl_global_id(0)];
    sl_barrier();
    for (uint32_t stride = sl_group_size(0) / 2; stride > 0; stride /= 2) {
        if (item < stride && item + stride < count) {
            partial[item] += partial[item + stride];
        }
        sl_barrier();
    }
    if (item == 0) {
        sl_atomic_add_u64(result, partial[0]);
    }
}
