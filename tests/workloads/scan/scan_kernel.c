/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of scan.c. One scans blocks of a work-group's size, each by itself: a wavefront scans
 * its values with a cross-lane operation, the group's first wavefront scans the wavefronts' totals
 * in LDS in the same way. The other adds to each block what comes before it. The LDS, 8 bytes for
 * each wavefront of a group, comes with the launch. */
#include "sluice/wave/wave.h"

/* Exclusive scan of `count` totals in LDS, in place, by one wavefront: as many at a time as it has
 * lanes. It has all its lanes unless there is one total only. */
static void scan_totals(uint64_t *totals, uint32_t count)
{
    uint64_t before = 0;
    for (uint32_t first = 0; first < count; first += sl_lane_count()) {
        const uint32_t i = first + sl_lane_id();
        const uint64_t total = i < count ? totals[i] : 0;
        const uint64_t scanned = sl_scan_add(total);
        if (i < count) {
            totals[i] = before + scanned;
        }
        before += sl_reduce_add(total);
    }
}

/* Scans each block of `values` in place, and puts its sum into `block_sums`. */
SL_KERNEL void scan_blocks(uint64_t *values, uint64_t *block_sums)
{
    uint64_t *const totals = sl_lds_dynamic();
    const uint32_t wavefront = sl_group_wavefront_id();
    const uint64_t value = values[sl_global_id(0)];

    const uint64_t scanned = sl_scan_add(value);
    const uint64_t total = sl_reduce_add(value);
    if (sl_elect()) {
        totals[wavefront] = total;
    }
    sl_barrier();
    if (wavefront == 0) {
        scan_totals(totals, sl_group_wavefront_count());
    }
    sl_barrier();
    const uint64_t before = totals[wavefront] + scanned;
    values[sl_global_id(0)] = before;
    if (sl_local_id(0) == sl_group_items(0) - 1) {
        block_sums[sl_group_id(0)] = before + value;
    }
}

/* Adds the scanned sums of the blocks to their values. */
SL_KERNEL void scan_add_blocks(uint64_t *values, const uint64_t *block_sums)
{
    values[sl_global_id(0)] += block_sums[sl_group_id(0)];
}
