/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_histogram.c. One counts a block for each work-group: work-items count in
 * counters of a byte of their own, without atomics, and add up all work-items' counters of two bins
 * each in the end. The other kernel adds the work-groups' counts to the histogram, a work-item for
 * each bin. */
#include "sluice/wave/wave.h"
#include "workloads/histogram/qr_histogram.h"

#define BINS      HISTOGRAM_BINS
#define GROUP     HISTOGRAM_GROUP
#define BIN_WORDS (GROUP / 4)

static SL_LDS uint32_t counters[BINS][BIN_WORDS];

/* Work-items of consecutive numbers count in consecutive words, and so in different banks. */
static inline uint8_t *own_counters(uint32_t item)
{
    return (uint8_t *)&counters[0][item % BIN_WORDS] + item / BIN_WORDS;
}

static inline void count_block(const uint32_t *words, uint32_t left, uint8_t *own)
{
    const uint32_t item = sl_local_id(0);

    for (uint32_t i = item; i < GROUP * HISTOGRAM_WORDS && 4 * i < left; i += GROUP) {
        uint32_t word = words[i];
        const uint32_t values = left - 4 * i < 4 ? left - 4 * i : 4;
        for (uint32_t value = 0; value < values; value++, word >>= 8) {
            own[(word & 0xff) * GROUP]++;
        }
    }
}

/* Of all work-items: four counters to a word, whose sums need twice their bits each. */
static inline uint32_t bin_sum(uint32_t bin, uint32_t first)
{
    uint32_t even = 0, odd = 0;

    for (uint32_t i = 0; i < BIN_WORDS; i++) {
        const uint32_t word = counters[bin][(first + i) % BIN_WORDS];
        even += word & 0x00ff00ff;
        odd += word >> 8 & 0x00ff00ff;
    }
    return (even & 0xffff) + (even >> 16) + (odd & 0xffff) + (odd >> 16);
}

/* Values are in whole words; the last word may have fewer. */
SL_KERNEL void histogram_count(const uint32_t *values, uint32_t count, uint32_t *sums)
{
    const uint32_t item = sl_local_id(0);
    const uint32_t begin = sl_group_id(0) * HISTOGRAM_BLOCK;

    for (uint32_t i = item; i < BINS * BIN_WORDS; i += GROUP) {
        counters[0][i] = 0;
    }
    sl_barrier();
    count_block(values + begin / 4, count - begin, own_counters(item));
    sl_barrier();
    for (uint32_t bin = item; bin < BINS; bin += GROUP) {
        sums[sl_group_id(0) * BINS + bin] = bin_sum(bin, item);
    }
}

SL_KERNEL void histogram_merge(const uint32_t *sums, uint32_t groups, uint32_t *bins)
{
    const uint32_t bin = sl_global_id(0);
    uint32_t count = bins[bin];

    for (uint32_t group = 0; group < groups; group++) {
        count += sums[group * BINS + bin];
    }
    bins[bin] = count;
}
