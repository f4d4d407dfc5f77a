/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Elements of cilksort.c's channel stacks, for host and kernels, and how the work is divided. Keys
 * are in two arrays, the one to sort and a temporary one of the same length: a piece is named by
 * the index of its first key. */
#ifndef SLUICE_PROGRAMS_CILKSORT_H
#define SLUICE_PROGRAMS_CILKSORT_H

#include <stdint.h>

/* A work-item sorts so many keys, and merges so many. */
#define SORT_BASE  64u
#define MERGE_BASE 128u

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

/* Keys in each of the first three quarters of `count`; the last has the rest. A multiple of 2: with
 * two keys to an access, pieces begin where accesses do. */
static inline uint32_t sort_quarter(uint32_t count)
{
    return (count / 8 + (count % 8 != 0)) * 2;
}

/* Keys in the first half of what a merge of `count` keys to `to` on makes; `to` plus the half is a
 * multiple of 2. */
static inline uint32_t sort_half(uint32_t to, uint32_t count)
{
    const uint32_t half = count / 2;
    return half + ((to + half) & 1);
}

#endif
