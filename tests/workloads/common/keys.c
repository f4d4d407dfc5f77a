/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Patterns of keys to sort, and the check against the C library's sort. */
#include "workloads/common/keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const pattern_names[KEYS_PATTERNS] = {"random", "sorted", "reversed", "equal"};

enum keys_pattern keys_pattern(const struct argp_state *state, const char *name)
{
    for (int i = 0; i < KEYS_PATTERNS; i++) {
        if (strcmp(name, pattern_names[i]) == 0) {
            return (enum keys_pattern)i;
        }
    }
    argp_error(state, "--input: '%s' is none of random, sorted, reversed, equal", name);
    return KEYS_RANDOM;
}

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

bool keys_are_right(const struct keys *keys, const uint32_t *sorted, const char *program)
{
    uint32_t *const expected = malloc(((size_t)keys->n + 1) * sizeof *expected);
    bool is_right = expected != NULL;
    if (!is_right) {
        (void)fprintf(stderr, "%s: out of memory\n", program);
        return false;
    }
    for (uint32_t i = 0; i < keys->n; i++) {
        expected[i] = keys_at(keys, i);
    }
    qsort(expected, keys->n, sizeof *expected, compare);
    for (uint32_t i = 0; is_right && i < keys->n; i++) {
        is_right = sorted[i] == expected[i];
        if (!is_right) {
            (void)fprintf(stderr, "%s: wrong: key %" PRIu32 " is %" PRIu32 ", not %" PRIu32 "\n",
                          program, i, sorted[i], expected[i]);
        }
    }
    free(expected);
    return is_right;
}
