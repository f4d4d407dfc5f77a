/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The naive kernel of trees_sort.c: merge sort as it is written for one processor (papers/000
 * section 5.6.5). Keys are in two arrays alike, of which a sort merges the halves of one, `from`,
 * into the other, where they have been sorted. A task merges alone. */
#include <stdbool.h>

#include "sluice/wave/trees.h"

SL_TASKS(trees_sort, sort, merge)

/* The lower half's keys go first where keys are equal. */
SL_TASK(merge, const uint32_t *, from, uint32_t *, to, uint32_t, count)
{
    uint32_t low = 0;
    uint32_t high = count / 2;

    for (uint32_t i = 0; i < count; i++) {
        const bool is_low = low < count / 2 && (high == count || from[low] <= from[high]);
        to[i] = from[is_low ? low++ : high++];
    }
}

SL_TASK(sort, uint32_t *, from, uint32_t *, to, uint32_t, count)
{
    const uint32_t half = count / 2;

    if (half > 0) {
        sl_fork_sort(to, from, half);
        sl_fork_sort(to + half, from + half, count - half);
        sl_join_merge(from, to, count);
    }
}
