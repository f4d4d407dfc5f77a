/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Patterns of keys to sort, and the check against the C library's sort. */
#include "workloads/common/keys.h"

#include <stdlib.h>

#include "sluice/program.h"

uint32_t keys_at(const struct keys *keys, uint32_t i)
{
    switch (keys->pattern) {
    case KEYS_RANDOM: {
        const uint32_t hash = (i + 1) * 2654435761u + keys->seed * 3266489917u;
        return (hash ^ hash >> 15) * 2246822519u;
    }
    case KEYS_SORTED:
        return 3 * i;
    case KEYS_REVERSED:
        return 3 * (keys->n - i);
    default:
        return 42;
    }
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool keys_are_right(const struct keys *keys, const uint32_t *sorted)
{
    uint32_t *const expected = sl_app_memory(keys->n, sizeof *expected);
    bool is_right = true;

    for (uint32_t i = 0; i < keys->n; i++) {
        expected[i] = keys_at(keys, i);
    }
    qsort(expected, keys->n, sizeof *expected, compare);
    for (uint32_t i = 0; is_right && i < keys->n; i++) {
        is_right =
            sl_app_check(sorted[i] == expected[i], "key %" PRIu32 " is %" PRIu32 ", not %" PRIu32,
                         i, sorted[i], expected[i]);
    }
    free(expected);
    return is_right;
}
