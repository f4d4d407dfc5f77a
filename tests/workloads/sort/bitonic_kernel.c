/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of bitonic.c; steps are those of workloads/common/bitonic.h, and each work-item has
 * one pair. Work-groups do steps whose pairs lie in one block, twice as many keys as work-items, in
 * LDS, with barriers between them; bitonic_step does one of the others in global memory. The LDS, 8
 * bytes for each work-item, comes with the launch. */
#include "sluice/wave/wave.h"
#include "workloads/common/bitonic.h"

/* Sorts each block of `keys`: ascending and descending in turn. */
SL_KERNEL void bitonic_sort_blocks(uint32_t *keys)
{
    uint32_t *const block = sl_lds_dynamic();
    const uint32_t item = sl_local_id(0);
    const uint32_t items = sl_group_size(0);
    const uint32_t first = sl_group_id(0) * 2 * items;

    block[item] = keys[first + item];
    block[item + items] = keys[first + item + items];
    sl_barrier();
    for (uint32_t size = 2; size <= 2 * items; size *= 2) {
        bitonic_merge_block(block, first, size, size / 2);
    }
    keys[first + item] = block[item];
    keys[first + item + items] = block[item + items];
}

/* The last steps of sequences of `size`, those whose pairs lie in one block. */
SL_KERNEL void bitonic_merge_blocks(uint32_t *keys, uint32_t size)
{
    uint32_t *const block = sl_lds_dynamic();
    const uint32_t item = sl_local_id(0);
    const uint32_t items = sl_group_size(0);
    const uint32_t first = sl_group_id(0) * 2 * items;

    block[item] = keys[first + item];
    block[item + items] = keys[first + item + items];
    sl_barrier();
    bitonic_merge_block(block, first, size, items);
    keys[first + item] = block[item];
    keys[first + item + items] = block[item + items];
}

/* One step in global memory. */
SL_KERNEL void bitonic_step(uint32_t *keys, uint32_t size, uint32_t stride)
{
    const uint32_t lower = bitonic_lower(sl_global_id(0), stride);
    bitonic_order(keys, lower, stride, lower & size);
}
