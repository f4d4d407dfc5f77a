/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels: a lane merges two sorted runs, or finds where a merge divides. The merge has no
 * branch that lanes would take differently (docs/know/cilk-sort.md, "Base cases without
 * divergence"). */
#ifndef SLUICE_WORKLOADS_SORT_MERGE_H
#define SLUICE_WORKLOADS_SORT_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/sort/network.h"

/* Keys from the middle to the second guess: half a line. */
#define SORT_SPLIT_STEP (SORT_LINE / 2)

/* How many of the least `wanted` keys of two sorted runs come from the first one, which goes first
 * where keys are equal.
 *
 * The first guess is the middle, where it is for two samples of the same keys. From there steps
 * double until the place is passed, then halve: next to the middle, where lines are that the merge
 * is about to read, or that other guesses have read. One loop for both directions and both kinds of
 * steps, so that lanes stay together. */
SORT_INLINE uint32_t sort_split(const uint32_t *a, uint32_t a_count, const uint32_t *b,
                                uint32_t b_count, uint32_t wanted)
{
    uint32_t low = wanted > b_count ? wanted - b_count : 0;
    uint32_t high = wanted < a_count ? wanted : a_count;
    const uint32_t middle = low + (high - low) / 2;
    uint32_t step = SORT_SPLIT_STEP;
    bool was_below = low < high && a[middle] <= b[wanted - 1 - middle];
    low = was_below ? middle + 1 : low;
    high = was_below ? high : middle;

    while (low < high) {
        const uint32_t half = (high - low) / 2;
        const uint32_t far = step < half ? step : half;
        const uint32_t guess = was_below ? low + far : high - 1 - far;
        const bool is_below = a[guess] <= b[wanted - 1 - guess];
        low = is_below ? guess + 1 : low;
        high = is_below ? high : guess;
        step = is_below == was_below ? 2 * step : UINT32_MAX;
        was_below = is_below;
    }
    return low;
}

/* A sorted run that is being read. */
struct sort_run {
    const uint32_t *next;
    const uint32_t *end;
    uint64_t key; /* at `next`; UINT64_MAX, which is behind all keys, at the end */
};

/* At its end the key behind it is read and not used. */
SORT_INLINE uint64_t sort_key_of(const uint32_t *next, const uint32_t *end)
{
    return *next | -(uint64_t)(next == end);
}

SORT_INLINE struct sort_run sort_run_of(const uint32_t *keys, uint32_t count)
{
    return (struct sort_run){keys, keys + count, sort_key_of(keys, keys + count)};
}

/* Takes the lesser key of two runs, without a branch: the runs change their places. */
SORT_INLINE uint64_t sort_take(struct sort_run *a, struct sort_run *b)
{
    const uint64_t mask = -(uint64_t)(b->key < a->key);
    const uint64_t key = (a->key ^ b->key) & mask;
    const uintptr_t next = ((uintptr_t)a->next ^ (uintptr_t)b->next) & mask;
    const uintptr_t end = ((uintptr_t)a->end ^ (uintptr_t)b->end) & mask;
    const uint64_t taken = a->key ^ key;

    b->key ^= key;
    b->next = (const uint32_t *)((uintptr_t)b->next ^ next);
    b->end = (const uint32_t *)((uintptr_t)b->end ^ end);
    a->next = (const uint32_t *)((uintptr_t)a->next ^ next) + 1;
    a->end = (const uint32_t *)((uintptr_t)a->end ^ end);
    a->key = sort_key_of(a->next, a->end);
    return taken;
}

/* Merges two runs, of an even number of keys together, two keys to a store. */
SORT_INLINE void sort_merge_keys(const uint32_t *a, uint32_t a_count, const uint32_t *b,
                                 uint32_t b_count, uint32_t *to)
{
    struct sort_run first = sort_run_of(a, a_count);
    struct sort_run second = sort_run_of(b, b_count);
    sort_key_slot *slot = (sort_key_slot *)to;

    for (sort_key_slot *const end = slot + (a_count + b_count) / 2; slot != end; slot++) {
        const uint64_t lesser = sort_take(&first, &second);
        *slot = lesser | sort_take(&first, &second) << 32;
    }
}

#endif
