/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Finds two memory ranges that overlap; private to the graph check. */
#ifndef SLUICE_CHECK_GRAPH_OVERLAP_CHECK_H
#define SLUICE_CHECK_GRAPH_OVERLAP_CHECK_H

#include <stddef.h>
#include <stdint.h>

struct sl_graph_range {
    uint64_t begin;
    uint64_t end;
    uint64_t channel; /* SL_GRAPH_CHANNELS for a table of the graph */
};

/* Sorts the ranges by their beginning (heap sort: in place, no recursion, n log n at worst). */
void sl_overlap_sort(struct sl_graph_range *range, size_t count);

/* Of sorted ranges, none empty: the index of the first that begins before one in front of it ends,
 * with the latter's index in *other; `count` where no two overlap. */
size_t sl_overlap_find(const struct sl_graph_range *range, size_t count, size_t *other);

#endif
