/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Elements of cilksort.c's channel stacks, for host and kernels, and how the work is divided. Keys
 * are in two arrays, the one to sort and a temporary one of the same length: a piece is named by
 * the index of its first key.
 *
 * Both arrays are filled up to whole cache lines, the first one with the greatest key. Pieces, and
 * what a merge makes, begin and end with a line, so that no two work-items write to the same one
 * and a work-item sorts lines and not keys. */
#ifndef SLUICE_WORKLOADS_SORT_CILKSORT_H
#define SLUICE_WORKLOADS_SORT_CILKSORT_H

#include <stdint.h>

#include "sluice/memory_map.h"

/* Keys of a cache line. */
#define SORT_LINE ((uint32_t)(SL_CACHE_LINE_BYTES / sizeof(uint32_t)))

/* A work-item sorts so many keys (papers/001 section 7.1). */
#define SORT_BASE (4 * SORT_LINE)

/* A work-item merges so many, unless the host says otherwise: at least two lines, which can be
 * halved. */
#define MERGE_BASE     512u
#define MERGE_BASE_MIN (2 * SORT_LINE)

/* The keys of one sort: of the pre-spawn stack of sorts and of both continuation stacks. */
struct sort_piece {
    uint32_t first;
    uint32_t count;
};

/* Of the pre-spawn stack of merges: two sorted runs of one array become one of the other. */
struct sort_merge {
    uint32_t first[2];
    uint32_t count[2];
    uint32_t to;
    uint32_t is_back; /* from the temporary array */
};

/* `count` keys and those that fill up their last line. */
static inline uint32_t sort_whole_lines(uint32_t count)
{
    return (count + SORT_LINE - 1) / SORT_LINE * SORT_LINE;
}

/* Keys in each of the first three quarters of `count`, which is more than SORT_BASE; the last has
 * the rest. */
static inline uint32_t sort_quarter(uint32_t count)
{
    const uint32_t quarter = sort_whole_lines((count + 3) / 4);
    return 3 * quarter <= count ? quarter : quarter - SORT_LINE;
}

/* Keys in the first half of what a merge of `count` keys makes. */
static inline uint32_t sort_half(uint32_t count)
{
    return sort_whole_lines(count / 2);
}

#endif
