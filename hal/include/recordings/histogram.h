/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A log-linear histogram of 64-bit values in fixed memory (HdrHistogram, in docs/know/papers.md):
 * each power of two is divided into 128 buckets of one width, and values below 128 have one each.
 * So a quantile is never below the exact one, and less than 1/128 of it above. Number, sum and
 * largest value are exact. */
#ifndef SLUICE_RECORDINGS_HISTOGRAM_H
#define SLUICE_RECORDINGS_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SL_HISTOGRAM_BITS    7u
#define SL_HISTOGRAM_BUCKETS ((65u - SL_HISTOGRAM_BITS) << SL_HISTOGRAM_BITS)

struct sl_histogram {
    uint64_t count;
    uint64_t sum; /* of the values; theirs to stay below 2^64 */
    uint64_t most;
    uint64_t buckets[SL_HISTOGRAM_BUCKETS];
};

/* The bucket of a value, and the largest value of a bucket. */
static inline uint32_t sl_histogram_bucket(uint64_t value)
{
    if (value >> SL_HISTOGRAM_BITS == 0) {
        return (uint32_t)value;
    }
    const uint32_t shift = 63 - SL_HISTOGRAM_BITS - (uint32_t)__builtin_clzll(value);
    return (shift << SL_HISTOGRAM_BITS) + (uint32_t)(value >> shift);
}

static inline uint64_t sl_histogram_limit(uint32_t bucket)
{
    const uint32_t power = bucket >> SL_HISTOGRAM_BITS;

    if (power < 2) {
        return bucket;
    }
    const uint32_t shift = power - 1;
    const uint64_t place = bucket - (shift << SL_HISTOGRAM_BITS);
    return ((place + 1) << shift) - 1; /* of the last one, all ones */
}

/* A value that is there so many times. */
static inline void sl_histogram_add(struct sl_histogram *histogram, uint64_t value, uint64_t times)
{
    histogram->count += times;
    histogram->sum += value * times;
    histogram->most = value > histogram->most ? value : histogram->most;
    histogram->buckets[sl_histogram_bucket(value)] += times;
}

/* Adds all values of another one. */
static inline void sl_histogram_merge(struct sl_histogram *sum, const struct sl_histogram *more)
{
    sum->count += more->count;
    sum->sum += more->sum;
    sum->most = more->most > sum->most ? more->most : sum->most;
    for (uint32_t bucket = 0; more->count > 0 && bucket <= sl_histogram_bucket(more->most);
         bucket++) {
        sum->buckets[bucket] += more->buckets[bucket];
    }
}

/* Empties it, without touching what is empty. */
static inline void sl_histogram_clear(struct sl_histogram *histogram)
{
    if (histogram->count > 0) {
        memset(histogram, 0,
               offsetof(struct sl_histogram, buckets) +
                   (sl_histogram_bucket(histogram->most) + 1) * sizeof histogram->buckets[0]);
    }
}

/* The least value that `per_mille` (1 to 1000) of all are not above, as exactly as buckets tell; 0
 * where there is none. */
static inline uint64_t sl_histogram_quantile(const struct sl_histogram *histogram,
                                             uint32_t per_mille)
{
    /* The rank, rounded up; whole thousands apart, so that no product overflows. */
    const uint64_t rank =
        histogram->count / 1000 * per_mille + (histogram->count % 1000 * per_mille + 999) / 1000;
    uint64_t seen = 0;

    for (uint32_t bucket = 0; bucket < SL_HISTOGRAM_BUCKETS && histogram->count > 0; bucket++) {
        seen += histogram->buckets[bucket];
        if (seen >= rank) {
            const uint64_t limit = sl_histogram_limit(bucket);
            return limit < histogram->most ? limit : histogram->most;
        }
    }
    return 0;
}

#endif
