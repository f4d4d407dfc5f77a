/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of the_program. Each work-item runs it once, and asks who it is: sl_global_id() in
 * the whole grid, sl_local_id() in its work-group. Arguments are those of sl_launch(). */
#include <sluice/wave/wave.h>

#include "the_program.h"

/* One for each work-group, shared by its work-items. */
static SL_LDS int64_t partial[GROUP];

/* Multiplies, then adds up in LDS: the number of work-items that add halves at each step. The first
 * one adds the group's sum to the result. */
SL_KERNEL void dot_kernel(const int32_t *a, const int32_t *b, int64_t *result)
{
    const uint32_t item = sl_local_id(0);
    const uint32_t place = sl_global_id(0);
    const uint32_t count = sl_group_items(0); /* fewer than GROUP in the last group */

    partial[item] = (int64_t)a[place] * b[place];
    sl_barrier();
    for (uint32_t stride = GROUP / 2; stride > 0; stride /= 2) {
        if (item < stride && item + stride < count) {
            partial[item] += partial[item + stride];
        }
        sl_barrier(); /* for all of the group: never inside a branch */
    }
    if (item == 0) {
        sl_atomic_add_u64((uint64_t *)result, (uint64_t)partial[0]);
    }
}
