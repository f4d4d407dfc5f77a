/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels: steps of a bitonic sort. A step compares keys that are `stride` apart within
 * sequences of `size` keys, which it makes ascending and descending in turn; each work-item has one
 * pair at a time. */
#ifndef SLUICE_WORKLOADS_COMMON_BITONIC_H
#define SLUICE_WORKLOADS_COMMON_BITONIC_H

#include <stdint.h>

#include "sluice/wave/wave.h"

/* Index of the lower key of a pair: the pair's number with a 0 put in at the stride's bit. */
static uint32_t bitonic_lower(uint32_t pair, uint32_t stride)
{
    return 2 * pair - (pair & (stride - 1));
}

static void bitonic_order(uint32_t *keys, uint32_t lower, uint32_t stride, uint32_t is_descending)
{
    const uint32_t a = keys[lower];
    const uint32_t b = keys[lower + stride];
    if (is_descending ? a < b : a > b) {
        keys[lower] = b;
        keys[lower + stride] = a;
    }
}

/* The steps of sequences of `size` in a block in LDS, of twice as many keys as the work-group has
 * work-items, from `stride` down. `first` is the number of the block's first key, which decides
 * about the direction. */
static void bitonic_merge_block(uint32_t *block, uint32_t first, uint32_t size, uint32_t stride)
{
    for (; stride > 0; stride /= 2) {
        const uint32_t lower = bitonic_lower(sl_local_id(0), stride);
        bitonic_order(block, lower, stride, (first + lower) & size);
        sl_barrier();
    }
}

#endif
