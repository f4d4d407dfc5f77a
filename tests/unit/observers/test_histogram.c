/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The log-linear histogram (hal/include/recordings/histogram.h): its buckets one by one, and
 * percentiles against sorted values. */
#include <stdlib.h>

#include "common/check.h"
#include "recordings/histogram.h"

static struct sl_histogram histogram;

/* Each bucket ends where the next one begins, and is narrower than 1/128 of what is in it; the last
 * one ends with the last value there is. */
TEST(test_buckets)
{
    uint64_t first = 0;

    for (uint32_t bucket = 0; bucket < SL_HISTOGRAM_BUCKETS; bucket++) {
        const uint64_t last = sl_histogram_limit(bucket);
        assert_true(last >= first);
        assert_int_equal(sl_histogram_bucket(first), bucket);
        assert_int_equal(sl_histogram_bucket(last), bucket);
        assert_true(last == first || last - first < first / 128);
        first = last + 1;
    }
    assert_true(first == 0); /* beyond UINT64_MAX */
}

static int compare(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

/* Of values of all magnitudes, 1 to 1000 of them: the one of rank per mille x count / 1000, rounded
 * up, or less than 1/128 above it; never above the largest. */
TEST(test_percentiles)
{
    static uint64_t values[1000];
    uint64_t random = 1;

    for (uint32_t count = 1; count <= 1000; count = count * 3 / 2 + 1) {
        histogram = (struct sl_histogram){0};
        uint64_t sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            values[i] = random >> (11 + random % 53);
            sum += values[i];
            sl_histogram_add(&histogram, values[i], 1);
        }
        qsort(values, count, sizeof values[0], compare);
        assert_int_equal(histogram.count, count);
        assert_int_equal(histogram.sum, sum);
        assert_int_equal(histogram.most, values[count - 1]);
        for (uint32_t per_mille = 1; per_mille <= 1000; per_mille++) {
            const uint64_t exact = values[(per_mille * count + 999) / 1000 - 1];
            const uint64_t value = sl_histogram_quantile(&histogram, per_mille);
            assert_in_range(value, exact, exact + exact / 128);
            assert_true(value <= histogram.most);
        }
        assert_int_equal(sl_histogram_quantile(&histogram, 1000), histogram.most);
    }
}

TEST(test_empty)
{
    histogram = (struct sl_histogram){0};
    assert_int_equal(sl_histogram_quantile(&histogram, 500), 0);
}

/* Two together are what all their values are in one; and nothing is left of what is cleared. */
TEST(test_together)
{
    static struct sl_histogram parts[2];
    static struct sl_histogram nothing;

    histogram = (struct sl_histogram){0};
    for (uint64_t value = 1; value < 1000000; value *= 3) {
        sl_histogram_add(&parts[value % 2 == 1 && value > 100], value, value % 5);
        sl_histogram_add(&histogram, value, value % 5);
    }
    sl_histogram_merge(&parts[0], &parts[1]);
    sl_histogram_merge(&parts[0], &nothing);
    assert_memory_equal(&parts[0], &histogram, sizeof histogram);
    sl_histogram_clear(&histogram);
    assert_memory_equal(&histogram, &nothing, sizeof histogram);
    sl_histogram_add(&histogram, UINT64_MAX, 1);
    sl_histogram_clear(&histogram);
    assert_memory_equal(&histogram, &nothing, sizeof histogram);
}
