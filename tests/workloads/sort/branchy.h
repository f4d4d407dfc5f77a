/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels: base cases as they are written for a CPU, full of branches that depend on keys, as
 * the core paper's were, whose divergence its Figure 19 shows (papers/001 section 8.4): quicksort
 * in place that ends in insertion sort, and a merge that compares and branches. */
#ifndef SLUICE_WORKLOADS_SORT_BRANCHY_H
#define SLUICE_WORKLOADS_SORT_BRANCHY_H

#include <stdint.h>

/* Up to so many keys, insertion sort is the faster one. */
#define SORT_INSERTION 20

static void sort_exchange(uint32_t *a, uint32_t *b)
{
    const uint32_t key = *a;
    *a = *b;
    *b = key;
}

static void sort_insertion(uint32_t *keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t key = keys[i];
        uint32_t to = i;
        for (; to > 0 && keys[to - 1] > key; to--) {
            keys[to] = keys[to - 1];
        }
        keys[to] = key;
    }
}

/* Divides three or more keys in two parts, neither of them empty, of which no key of the first one
 * is greater than one of the second. Returns the length of the first one. */
static uint32_t sort_partition(uint32_t *keys, uint32_t count)
{
    uint32_t *const middle = &keys[count / 2];
    uint32_t *const last = &keys[count - 1];
    uint32_t *up = keys;
    uint32_t *down = last;

    /* The median of three is what the scans stop at, and the ends are in their parts already. */
    if (*middle < *keys) {
        sort_exchange(middle, keys);
    }
    if (*last < *middle) {
        sort_exchange(last, middle);
        if (*middle < *keys) {
            sort_exchange(middle, keys);
        }
    }
    const uint32_t pivot = *middle;
    while (1) {
        do {
            up++;
        } while (*up < pivot);
        do {
            down--;
        } while (*down > pivot);
        if (up >= down) {
            return (uint32_t)(down - keys) + 1;
        }
        sort_exchange(up, down);
    }
}

/* Recursion is into the smaller part, so that it takes few frames of the lane's stack. */
static void sort_branchy(uint32_t *keys, uint32_t count)
{
    while (count > SORT_INSERTION) {
        const uint32_t first = sort_partition(keys, count);
        if (first <= count - first) {
            sort_branchy(keys, first);
            keys += first;
            count -= first;
        } else {
            sort_branchy(keys + first, count - first);
            count = first;
        }
    }
    sort_insertion(keys, count);
}

static void sort_merge_branchy(const uint32_t *a, uint32_t a_count, const uint32_t *b,
                               uint32_t b_count, uint32_t *to)
{
    const uint32_t *const a_end = a + a_count;
    const uint32_t *const b_end = b + b_count;

    while (a != a_end && b != b_end) {
        if (*b < *a) {
            *to++ = *b++;
        } else {
            *to++ = *a++;
        }
    }
    while (a != a_end) {
        *to++ = *a++;
    }
    while (b != b_end) {
        *to++ = *b++;
    }
}

#endif
