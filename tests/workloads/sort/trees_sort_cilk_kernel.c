/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_sort.c for --cilk: the program of cilksort.c, with the same base cases
 * (cilksort_kernels.h has it as text), whose continuations and merges are tasks here. A
 * merge is of two sorted runs; who waits for it does so by its epoch. */
#include "sluice/wave/trees.h"
#include "workloads/sort/cilksort.h"
#include "workloads/sort/lines.h"
#include "workloads/sort/merge.h"
#include "workloads/sort/network.h"

SL_TASKS(trees_sort_cilk, sort, merge_quarters, merge_halves, merge)

/* Up to so many keys, as two base sorts give, a work-item merges by lines. */
#define SORT_LINES_MAX (2 * SORT_BASE)

SL_TASK(merge, const uint32_t *, a, uint32_t, a_count, const uint32_t *, b, uint32_t, b_count,
        uint32_t *, to)
{
    const uint32_t count = a_count + b_count;

    if (count > MERGE_BASE) {
        const uint32_t half = sort_half(count);
        const uint32_t of_a = sort_split(a, a_count, b, b_count, half);
        const uint32_t of_b = half - of_a;
        sl_fork_merge(a, of_a, b, of_b, to);
        sl_fork_merge(a + of_a, a_count - of_a, b + of_b, b_count - of_b, to + half);
    } else if (count <= SORT_LINES_MAX) {
        sort_merge_lines(a, a_count, b, b_count, to);
    } else {
        sort_merge_keys(a, a_count, b, b_count, to);
    }
}

SL_TASK(merge_halves, uint32_t *, keys, const uint32_t *, temporary, uint32_t, count)
{
    const uint32_t half = 2 * sort_quarter(count);

    sl_fork_merge(temporary, half, temporary + half, count - half, keys);
}

SL_TASK(merge_quarters, uint32_t *, keys, uint32_t *, temporary, uint32_t, count)
{
    const uint32_t quarter = sort_quarter(count);
    const uint32_t half = 2 * quarter;

    sl_fork_merge(keys, quarter, keys + quarter, quarter, temporary);
    sl_fork_merge(keys + half, quarter, keys + half + quarter, count - half - quarter,
                  temporary + half);
    sl_join_merge_halves(keys, temporary, count);
}

SL_TASK(sort, uint32_t *, keys, uint32_t *, temporary, uint32_t, count)
{
    if (count > SORT_BASE) {
        const uint32_t quarter = sort_quarter(count);
        for (uint32_t i = 0; i < 3 * quarter; i += quarter) {
            sl_fork_sort(keys + i, temporary + i, quarter);
        }
        sl_fork_sort(keys + 3 * quarter, temporary + 3 * quarter, count - 3 * quarter);
        sl_join_merge_quarters(keys, temporary, count);
    } else {
        sort_network(keys, count);
    }
}
