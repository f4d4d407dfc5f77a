/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A log-linear histogram of 64-bit values in fixed memory (HdrHistogram, in docs/know/papers.md):
 * each power of two is divided into 128 buckets of one width, and values below 128 have one each.
 * So a quantile is never below the exact one, and less than 1/128 of it above. Number, sum and
 * largest value are exact. */
#ifndef SLUICE_OBSERVERS_HISTOGRAM_H
#define SLUICE_OBSERVERS_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_BITS    7u
#define HISTOGRAM_BUCKETS ((65u - HISTOGRAM_BITS) << HISTOGRAM_BITS)

struct histogram {
    uint64_t count;
    uint64_t sum; /* of the values; theirs to stay below 2^64 */
    uint64_t most;
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

/* The bucket of a value, and the largest value of a bucket. */
static inline uint32_t histogram_bucket(uint64_t value)
{
    if (value >> HISTOGRAM_BITS == 0) {
        return (uint32_t)value;
    }
    const uint32_t shift = 63 - HISTOGRAM_BITS - (uint32_t)__builtin_clzll(value);
    return (shift << HISTOGRAM_BITS) + (uint32_t)(value >> shift);
}

uint64_t histogram_limit(uint32_t bucket);

static inline void histogram_add(struct histogram *histogram, uint64_t value)
{
    histogram->count++;
    histogram->sum += value;
    histogram->most = value > histogram->most ? value : histogram->most;
    histogram->buckets[histogram_bucket(value)]++;
}

/* The least value that `per_mille` (1 to 1000) of all are not above, as exactly as buckets tell; 0
 * where there is none. */
uint64_t histogram_quantile(const struct histogram *histogram, uint32_t per_mille);

#endif
