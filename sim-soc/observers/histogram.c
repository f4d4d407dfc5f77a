/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reading a histogram. */
#include "observers/histogram.h"

uint64_t histogram_limit(uint32_t bucket)
{
    const uint32_t power = bucket >> HISTOGRAM_BITS;

    if (power < 2) {
        return bucket;
    }
    const uint32_t shift = power - 1;
    const uint64_t place = bucket - (shift << HISTOGRAM_BITS);
    return ((place + 1) << shift) - 1; /* of the last one, all ones */
}

uint64_t histogram_quantile(const struct histogram *histogram, uint32_t per_mille)
{
    /* The rank, rounded up; whole thousands apart, so that no product overflows. */
    const uint64_t rank =
        histogram->count / 1000 * per_mille + (histogram->count % 1000 * per_mille + 999) / 1000;
    uint64_t seen = 0;

    for (uint32_t bucket = 0; bucket < HISTOGRAM_BUCKETS && histogram->count > 0; bucket++) {
        seen += histogram->buckets[bucket];
        if (seen >= rank) {
            const uint64_t limit = histogram_limit(bucket);
            return limit < histogram->most ? limit : histogram->most;
        }
    }
    return 0;
}
