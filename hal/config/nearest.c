/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Nearest name by edit distance: Levenshtein's, with a swap of two neighbouring characters counted
 * as one edit (optimal string alignment), since that is what fingers do. ASCII case is ignored. */
#include "config/nearest.h"

#include <stdint.h>
#include <string.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t sl_edit_distance(const char *a, const char *b)
{
    size_t rows = strlen(a);
    size_t columns = strlen(b);
    if (rows > SL_NEAREST_MAX || columns > SL_NEAREST_MAX) {
        return SL_NEAREST_MAX + 1;
    }

    /* The rows for i - 2, i - 1 and i characters of a; the columns are the prefixes of b. */
    size_t line[3][SL_NEAREST_MAX + 1];
    size_t *before = line[0];
    size_t *last = line[1];
    size_t *now = line[2];
    for (size_t j = 0; j <= columns; j++) {
        last[j] = j;
    }
    for (size_t i = 1; i <= rows; i++) {
        now[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t changed = lower(a[i - 1]) != lower(b[j - 1]);
            now[j] = least(least(last[j] + 1, now[j - 1] + 1), last[j - 1] + changed);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1])) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
        size_t *free_line = before;
        before = last;
        last = now;
        now = free_line;
    }
    return last[columns];
}

const char *sl_nearest(const char *name, const char *const *candidates, size_t count)
{
    size_t length = strlen(name);
    if (length > SL_NEAREST_MAX) {
        return NULL;
    }
    size_t limit = length / 3;
    if (limit == 0 && length >= 2) {
        limit = 1;
    }

    const char *nearest = NULL;
    size_t smallest = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (candidates[i] == NULL) {
            continue;
        }
        size_t distance = sl_edit_distance(name, candidates[i]);
        if (distance <= limit && distance < smallest) {
            nearest = candidates[i];
            smallest = distance;
        }
    }
    return nearest;
}
