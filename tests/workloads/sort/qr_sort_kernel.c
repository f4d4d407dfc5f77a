/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_sort.c, for one byte of the keys, the one at `shift`. Counts are an array of
 * SORT_BINS for each block of keys. */
#include "sluice/wave/wave.h"
#include "workloads/sort/qr_sort.h"

static inline uint32_t byte_of(uint32_t key, uint32_t shift)
{
    return key >> shift & 0xff;
}

/* The first step: how often each byte is in each block, which is a work-group. */
SL_KERNEL void sort_count(const uint32_t *keys, uint32_t shift, uint32_t *counts)
{
    static SL_LDS uint32_t bins[SORT_BINS];
    const uint32_t item = sl_local_id(0);
    const uint32_t items = sl_group_items(0);

    for (uint32_t bin = item; bin < SORT_BINS; bin += items) {
        bins[bin] = 0;
    }
    sl_barrier();
    sl_atomic_add_u32_workgroup(&bins[byte_of(keys[sl_global_id(0)], shift)], 1);
    sl_barrier();
    for (uint32_t bin = item; bin < SORT_BINS; bin += items) {
        counts[sl_group_id(0) * SORT_BINS + bin] = bins[bin];
    }
}

/* Makes of each block's counts those of all blocks before it, in place, and adds up all blocks'. */
SL_KERNEL void sort_scan(uint32_t *counts, uint32_t blocks, uint32_t *totals)
{
    static SL_LDS uint32_t sums[SORT_SCAN_SEGMENTS][SORT_SCAN_BINS];
    const uint32_t column = sl_local_id(0) % SORT_SCAN_BINS;
    const uint32_t segment = sl_local_id(0) / SORT_SCAN_BINS;
    const uint32_t bin = sl_group_id(0) * SORT_SCAN_BINS + column;
    const uint32_t length = (blocks - 1) / SORT_SCAN_SEGMENTS + 1;
    const uint32_t begin = segment * length;
    const uint32_t end = begin + length < blocks ? begin + length : blocks;
    uint32_t sum = 0;

    for (uint32_t block = begin; block < end; block++) {
        sum += counts[block * SORT_BINS + bin];
    }
    sums[segment][column] = sum;
    sl_barrier();
    sum = 0;
    for (uint32_t before = 0; before < segment; before++) {
        sum += sums[before][column];
    }
    for (uint32_t block = begin; block < end; block++) {
        uint32_t *const count = &counts[block * SORT_BINS + bin];
        const uint32_t own = *count;
        *count = sum;
        sum += own;
    }
    if (segment == SORT_SCAN_SEGMENTS - 1) {
        totals[bin] = sum;
    }
}

/* Exclusive prefix sums of the totals, in LDS: where the keys of each byte begin. A work-item for
 * each; each step adds what is twice as far away. */
static inline void scan_totals(const uint32_t *totals, uint32_t *start)
{
    const uint32_t item = sl_local_id(0);

    start[item] = item > 0 ? totals[item - 1] : 0;
    sl_barrier();
    for (uint32_t distance = 1; distance < SORT_BINS; distance *= 2) {
        const uint32_t before = item >= distance ? start[item - distance] : 0;
        sl_barrier();
        start[item] += before;
        sl_barrier();
    }
}

/* The last of `count` ascending numbers, `pitch` apart, that is `value` at most. The first one
 * is 0. */
static inline uint32_t last_up_to(const uint32_t *numbers, uint32_t count, uint32_t pitch,
                                  uint32_t value)
{
    uint32_t last = 0, beyond = count;

    while (beyond - last > 1) {
        const uint32_t middle = (last + beyond) / 2;
        const bool is_up_to = numbers[middle * pitch] <= value;
        last = is_up_to ? middle : last;
        beyond = is_up_to ? beyond : middle;
    }
    return last;
}

/* The second step: a work-item finds the key that belongs where its number says. Counts say which
 * byte that has, and in which block it is; that one is traversed. */
SL_KERNEL void sort_find(const uint32_t *keys, uint32_t n, uint32_t shift, const uint32_t *counts,
                         const uint32_t *totals, uint32_t *found)
{
    static SL_LDS uint32_t start[SORT_BINS];
    const uint32_t item = sl_global_id(0);
    const uint32_t blocks = (n - 1) / SORT_BLOCK + 1;

    scan_totals(totals, start);
    if (item < n) {
        const uint32_t byte = last_up_to(start, SORT_BINS, 1, item);
        const uint32_t rank = item - start[byte];
        const uint32_t block = last_up_to(counts + byte, blocks, SORT_BINS, rank);
        uint32_t before = rank - counts[block * SORT_BINS + byte];
        uint32_t place = block * SORT_BLOCK;
        bool is_it = false;

        while (!is_it) {
            const bool has_byte = byte_of(keys[place], shift) == byte;
            is_it = has_byte && before == 0;
            before -= has_byte;
            place += !is_it;
        }
        found[item] = place;
    }
}

/* The last step: moves keys to where they belong. */
SL_KERNEL void sort_move(const uint32_t *keys, const uint32_t *found, uint32_t *sorted)
{
    const uint32_t item = sl_global_id(0);

    sorted[item] = keys[found[item]];
}
