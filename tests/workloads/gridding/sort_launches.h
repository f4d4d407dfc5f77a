/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The launches of the radix sort of hybrid_gridding.c. */
#ifndef SLUICE_WORKLOADS_GRIDDING_SORT_LAUNCHES_H
#define SLUICE_WORKLOADS_GRIDDING_SORT_LAUNCHES_H

#include <stdint.h>

#include "sluice/sluice.h"
#include "workloads/common/launches.h"

struct sort {
    uint32_t n;
    uint32_t bits;       /* by which entries are sorted, the lowest */
    uint32_t lanes_log2; /* of a wavefront */
    /* In the shared heap. */
    uint64_t *entries[2]; /* in turn; the first has the input */
    uint32_t *counts;     /* of each digit in each block, then where its entries go */
    uint32_t *sums;       /* of segments of counts */
};

/* Allocates what sorts n entries, 1 to 2^28, by so many bits, 0 to 32. Ends the program
 * where there is no space. */
void sort_make(struct sl_soc *soc, uint32_t n, uint32_t bits, struct sort *sort);

/* Notes the launches, five for each digit: at most 40. */
void sort_add_launches(struct launches *launches, const struct sort *sort);

/* Where the entries are after them, in order. */
const uint64_t *sort_result(const struct sort *sort);

#endif
