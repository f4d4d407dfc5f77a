/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of bitonic.c. A step compares keys that are `stride` apart within sequences of `size`
 * keys, which it makes ascending and descending in turn; each work-item has one pair. Work-groups
 * do steps whose pairs lie in one block, twice as many keys as work-items, in LDS, with barriers
 * between them; bitonic_step does one of the others in global memory. The LDS, 8 bytes for each
 * work-item, comes with the launch. */
#include "wave/sluice_wave.h"

/* Index of the lower key of a pair: the pair's number with a 0 put in at the stride's bit. */
static uint32_t lower_of(uint32_t pair, uint32_t stride)
{
    return 2 * pair - (pair & (stride - 1));
}

static void order(uint32_t *keys, uint32_t lower, uint32_t stride, uint32_t is_descending)
{
    const uint32_t a = keys[lower];
    const uint32_t b = keys[lower + stride];
    if (is_descending ? a < b : a > b) {
        keys[lower] = b;
        keys[lower + stride] = a;
    }
}

/* The steps of sequences of `size` in a block in LDS, from `stride` down. `first` is the number of
 * the block's first key, which decides about the direction. */
static void merge_block(uint32_t *block, uint32_t first, uint32_t size, uint32_t stride)
{
    for (; stride > 0; stride /= 2) {
        const uint32_t lower = lower_of(sl_local_id(0), stride);
        order(block, lower, stride, (first + lower) & size);
        sl_barrier();
    }
}

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
        merge_block(block, first, size, size / 2);
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
    merge_block(block, first, size, items);
    keys[first + item] = block[item];
    keys[first + item + items] = block[item + items];
}

/* One step in global memory. */
SL_KERNEL void bitonic_step(uint32_t *keys, uint32_t size, uint32_t stride)
{
    const uint32_t lower = lower_of(sl_global_id(0), stride);
    order(keys, lower, stride, lower & size);
}
