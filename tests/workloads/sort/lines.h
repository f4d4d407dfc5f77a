/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels: a lane merges two runs by whole lines, in its registers: where so many wavefronts
 * merge at a time that the L2 does not hold the lines that merges by keys would come back to
 * (docs/know/cilk-sort.md, "Caches"). A line is read at once, and written at once.
 *
 * A line of the result is the lesser half of two lines: of what is left of those that were read,
 * and the next line of the run whose last key read is the lesser one. All that is left was at most
 * the other run's last key, so that no key that was not read belongs into that line. */
#ifndef SLUICE_WORKLOADS_SORT_LINES_H
#define SLUICE_WORKLOADS_SORT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/sort/network.h"

#define SORT_LINE_SLOTS 8

/* A sorted run that is being read. It begins and ends anywhere in a line: the keys of its line in
 * front of it and behind it are of the same sorted run of which this one is a part. */
struct sort_line_run {
    uintptr_t next; /* address of a line */
    uintptr_t end;
    uint64_t last; /* key that was read, the greatest one */
};

SORT_INLINE struct sort_line_run sort_line_run_of(const uint32_t *keys, uint32_t count)
{
    return (struct sort_line_run){(uintptr_t)keys & ~(uintptr_t)(SL_CACHE_LINE_BYTES - 1),
                                  (uintptr_t)(keys + count), 0};
}

SORT_INLINE void sort_next_line(struct sort_line_run *run, uint64_t *slots)
{
    sort_load_line(slots, (const sort_key_slot *)run->next, run->next < run->end);
    run->next += SL_CACHE_LINE_BYTES;
    run->last = slots[SORT_LINE_SLOTS - 1] >> 32;
    SORT_IN_ORDER(run->last);
}

/* The lesser half of two lines gets into the second one, in order; the other half is bitonic. */
SORT_INLINE void sort_merge_two_lines(uint64_t *left, uint64_t *line)
{
    sort_reverse_8(line);
    sort_order_8(line, left);
    sort_clean_8(line);
}

SORT_INLINE void sort_exchange_words(uint64_t *a, uint64_t *b, uint64_t mask)
{
    const uint64_t difference = (*a ^ *b) & mask;
    *a ^= difference;
    *b ^= difference;
}

/* Makes `a` the run whose last key is the lesser one. */
SORT_INLINE void sort_order_runs(struct sort_line_run *a, struct sort_line_run *b)
{
    const uint64_t mask = -(uint64_t)(b->last < a->last);
    sort_exchange_words(&a->next, &b->next, mask);
    sort_exchange_words(&a->end, &b->end, mask);
    sort_exchange_words(&a->last, &b->last, mask);
}

/* Merges two runs, of whole lines together. They begin at as many keys behind the beginning of a
 * line, together, as the result does: none or a line's. These keys are read too, and are in front
 * of all others, so that the first line is not one of the result; keys behind the ends are behind
 * all others. */
SORT_INLINE void sort_merge_lines(const uint32_t *a, uint32_t a_count, const uint32_t *b,
                                  uint32_t b_count, uint32_t *to)
{
    struct sort_line_run next = sort_line_run_of(a, a_count);
    struct sort_line_run other = sort_line_run_of(b, b_count);
    const bool is_aligned = next.next == (uintptr_t)a;
    sort_key_slot *line_to = (sort_key_slot *)to;
    const sort_key_slot *const end = line_to + (a_count + b_count) / 2;
    uint64_t left[SORT_LINE_SLOTS];
    uint64_t line[SORT_LINE_SLOTS];

    sort_next_line(&next, left);
    sort_next_line(&other, line);
    sort_merge_two_lines(left, line);
    sort_store_line(line_to, line, is_aligned);
    line_to += is_aligned ? SORT_LINE_SLOTS : 0;
    while (line_to != end) {
        sort_order_runs(&next, &other);
        sort_clean_8(left);
        sort_next_line(&next, line);
        sort_merge_two_lines(left, line);
        sort_store_line(line_to, line, true);
        line_to += SORT_LINE_SLOTS;
    }
}

#endif
