/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of trees_sort.c for --map: bitonic.c's algorithm as a fork/join program (papers/000
 * section 5.6.5). A sort forks its halves, one of them ascending and the other descending; then
 * they are merged, by a step over all pairs, and by two merges of half as many keys, which are
 * forked. Maps do the steps, and all that lies in a block, in LDS. */
#include "sluice/wave/trees.h"
#include "workloads/common/bitonic.h"
#include "workloads/sort/trees_sort.h"

SL_TASKS(trees_sort_map, sort, block, merge)
SL_MAPS(trees_sort_maps, order_block, order_pairs)

static SL_LDS uint32_t keys_of_block[SORT_MAP_KEYS];

/* All steps within a block of sequences of `size` keys, and of those twice as long, up to `last`.
 */
SL_MAP(order_block, uint32_t *, keys, uint32_t, first, uint32_t, size, uint32_t, last)
{
    const uint32_t item = sl_local_id(0);
    uint32_t *const low = keys + first + item;
    uint32_t *const high = low + SORT_MAP_ITEMS;

    keys_of_block[item] = *low;
    keys_of_block[item + SORT_MAP_ITEMS] = *high;
    sl_barrier();
    for (; size <= last; size *= 2) {
        const uint32_t stride = size < SORT_MAP_KEYS ? size / 2 : SORT_MAP_ITEMS;
        bitonic_merge_block(keys_of_block, first, size, stride);
    }
    *low = keys_of_block[item];
    *high = keys_of_block[item + SORT_MAP_ITEMS];
}

/* One step, from a pair on. */
SL_MAP(order_pairs, uint32_t *, keys, uint32_t, first, uint32_t, pairs, uint32_t, size, uint32_t,
       stride)
{
    for (uint32_t i = sl_local_id(0); i < pairs; i += SORT_MAP_ITEMS) {
        const uint32_t lower = bitonic_lower(first + i, stride);
        bitonic_order(keys, lower, stride, lower & size);
    }
}

SL_TASK(block, uint32_t *, keys, uint32_t, first, uint32_t, size, uint32_t, last)
{
    sl_map_order_block(keys, first, size, last);
}

/* Merges `count` keys, of a sequence of `size`, both powers of two; a step has `maps` maps at most.
 */
SL_TASK(merge, uint32_t *, keys, uint32_t, first, uint32_t, count, uint32_t, size, uint32_t, maps)
{
    const uint32_t half = count / 2;
    const uint32_t all = half / SORT_MAP_ITEMS;
    const uint32_t shares = all < maps ? all : maps;
    const uint32_t pairs = half / shares;
    const unsigned slot = sl_maps(sl_task_order_pairs, shares);

    for (uint32_t i = 0; i < shares; i++) {
        sl_task_set_u64(slot + i, 0, (uintptr_t)keys);
        sl_task_set_u32(slot + i, 2, first / 2 + i * pairs);
        sl_task_set_u32(slot + i, 3, pairs);
        sl_task_set_u32(slot + i, 4, size);
        sl_task_set_u32(slot + i, 5, half);
    }
    if (half > SORT_MAP_KEYS) {
        sl_fork_merge(keys, first, half, size, maps);
        sl_fork_merge(keys, first + half, half, size, maps);
    } else {
        sl_fork_block(keys, first, size, size);
        sl_fork_block(keys, first + half, size, size);
    }
}

SL_TASK(sort, uint32_t *, keys, uint32_t, first, uint32_t, count, uint32_t, maps)
{
    const uint32_t half = count / 2;

    if (half > SORT_MAP_KEYS) {
        sl_fork_sort(keys, first, half, maps);
        sl_fork_sort(keys, first + half, half, maps);
    } else {
        sl_fork_block(keys, first, 2, SORT_MAP_KEYS);
        sl_fork_block(keys, first + half, 2, SORT_MAP_KEYS);
    }
    sl_join_merge(keys, first, count, count, maps);
}
