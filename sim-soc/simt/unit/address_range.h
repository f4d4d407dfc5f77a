/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A range of addresses, or of words: what lies between the lowest and the highest one of some. */
#ifndef SLUICE_SIMT_UNIT_ADDRESS_RANGE_H
#define SLUICE_SIMT_UNIT_ADDRESS_RANGE_H

#include <stdbool.h>
#include <stdint.h>

struct mem_range {
    uint64_t first;
    uint64_t last;
};

/* Of none: overlaps no other. */
#define MEM_RANGE_NONE ((struct mem_range){UINT64_MAX, 0})

static inline void mem_range_add(struct mem_range *range, struct mem_range more)
{
    range->first = more.first < range->first ? more.first : range->first;
    range->last = more.last > range->last ? more.last : range->last;
}

static inline bool mem_range_overlaps(const struct mem_range *a, const struct mem_range *b)
{
    return a->first <= b->last && b->first <= a->last;
}

#endif
