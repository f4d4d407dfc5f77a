/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of the radix sort of hybrid_gridding.c, which no LDS is for: each wavefront has a
 * block of entries or a segment of counts, and its lanes tell each other in registers. All lanes of
 * a wavefront are there. */
#ifndef SLUICE_WORKLOADS_GRIDDING_SORT_KERNEL_H
#define SLUICE_WORKLOADS_GRIDDING_SORT_KERNEL_H

#include "sluice/wave/wave.h"
#include "workloads/gridding/sort.h"

/* How often each digit is there, a byte for each: eight in a word. */
struct digits {
    uint64_t low;
    uint64_t high;
};

/* All bits where the digit is one of the higher eight. */
static inline uint64_t is_high(uint64_t digit)
{
    return -(digit >> 3);
}

static inline struct digits one_of(uint64_t digit, bool is_entry)
{
    const uint64_t one = (uint64_t)is_entry << 8 * (digit & 7);
    return (struct digits){one & ~is_high(digit), one & is_high(digit)};
}

static inline uint32_t count_of(struct digits digits, uint64_t digit)
{
    const uint64_t word = (digits.low & ~is_high(digit)) | (digits.high & is_high(digit));
    return word >> 8 * (digit & 7) & 0xff;
}

static inline uint64_t digit_of(uint64_t entry, uint64_t shift)
{
    return entry >> shift & (SORT_DIGITS - 1);
}

/* Number of this wavefront in the grid. */
static inline uint64_t wavefront_of(uint64_t lanes_log2)
{
    return (uint64_t)sl_global_id(0) >> lanes_log2;
}

/* How often each digit is in a block of entries. Counts are in the order of digits, then blocks. */
SL_KERNEL void sort_count(const uint64_t *entries, uint64_t n, uint64_t shift, uint32_t *counts,
                          uint64_t blocks, uint64_t lanes_log2)
{
    const uint64_t lane = sl_lane_id(), lanes = sl_lane_count(), block = wavefront_of(lanes_log2);
    uint64_t i = (block * SORT_EACH << lanes_log2) + lane;
    struct digits digits = {0, 0};

    for (unsigned round = 0; round < SORT_EACH; round++) {
        if (i < n) {
            const struct digits one = one_of(digit_of(entries[i], shift), true);
            digits.low += one.low;
            digits.high += one.high;
        }
        i += lanes;
    }
    digits.low = sl_reduce_add(digits.low);
    digits.high = sl_reduce_add(digits.high);
    for (uint64_t digit = lane; digit < SORT_DIGITS; digit += lanes) {
        counts[digit * blocks + block] = count_of(digits, digit);
    }
}

/* The sum of each segment of counts. */
SL_KERNEL void sort_sum(const uint32_t *counts, uint64_t count, uint32_t *sums, uint64_t lanes_log2)
{
    const uint64_t lane = sl_lane_id(), lanes = sl_lane_count();
    const uint64_t segment = wavefront_of(lanes_log2);
    uint64_t i = (segment * SORT_SCAN_EACH << lanes_log2) + lane;
    uint64_t sum = 0;

    for (unsigned round = 0; round < SORT_SCAN_EACH; round++) {
        sum += i < count ? counts[i] : 0;
        i += lanes;
    }
    sum = sl_reduce_add(sum);
    if (lane == 0) {
        sums[segment] = (uint32_t)sum;
    }
}

/* Makes of each of the numbers from `begin` to `end` what is before it: `before` and the numbers in
 * front of it. Returns what is before the one at `end`. */
static inline uint64_t scan(uint32_t *numbers, uint64_t begin, uint64_t end, uint64_t before)
{
    const uint64_t lane = sl_lane_id(), lanes = sl_lane_count();

    while (begin < end) {
        const uint64_t i = begin + lane;
        const uint64_t own = i < end ? numbers[i] : 0;
        const uint64_t in_front = before + sl_scan_add(own);
        if (i < end) {
            numbers[i] = (uint32_t)in_front;
        }
        before += sl_reduce_add(own);
        begin += lanes;
    }
    return before;
}

/* Makes of the sums of segments those of all segments before: one wavefront. */
SL_KERNEL void sort_scan_sums(uint32_t *sums, uint64_t segments)
{
    (void)scan(sums, 0, segments, 0);
}

/* Makes of each count the sum of all before it. */
SL_KERNEL void sort_scan(uint32_t *counts, uint64_t count, const uint32_t *sums,
                         uint64_t lanes_log2)
{
    const uint64_t segment = wavefront_of(lanes_log2);
    const uint64_t begin = segment * SORT_SCAN_EACH << lanes_log2;
    const uint64_t end = begin + (SORT_SCAN_EACH << lanes_log2);

    (void)scan(counts, begin, end < count ? end : count, sums[segment]);
}

/* Moves the entries of a block to where those of their digit go, in order. */
SL_KERNEL void sort_move(const uint64_t *entries, uint64_t n, uint64_t shift,
                         const uint32_t *places, uint64_t blocks, uint64_t lanes_log2,
                         uint64_t *sorted)
{
    const uint64_t lanes = sl_lane_count(), block = wavefront_of(lanes_log2);
    uint64_t i = (block * SORT_EACH << lanes_log2) + sl_lane_id();
    struct digits before = {0, 0};

    for (unsigned round = 0; round < SORT_EACH; round++) {
        const bool is_entry = i < n;
        const uint64_t entry = is_entry ? entries[i] : 0, digit = digit_of(entry, shift);
        const struct digits one = one_of(digit, is_entry);
        const struct digits in_front = {before.low + sl_scan_add(one.low),
                                        before.high + sl_scan_add(one.high)};
        if (is_entry) {
            sorted[places[digit * blocks + block] + count_of(in_front, digit)] = entry;
        }
        before.low += sl_reduce_add(one.low);
        before.high += sl_reduce_add(one.high);
        i += lanes;
    }
}

#endif
