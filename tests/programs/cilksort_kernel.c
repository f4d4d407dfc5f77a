/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of cilksort.c: merge sort as a Cilk function, split at its two syncs (papers/001
 * section 5.2).
 *
 *     cilk void sort(keys[n])                   sort_spawn
 *     {
 *         if (n <= 64) { ... return; }              sorted by the work-item
 *         spawn sort(quarter 0); ... 3;             four sorts one level deeper
 *         sync;                                 sort_merge_quarters, at the sort's level
 *         spawn merge(quarters 0, 1 -> temp);       two merges one level deeper
 *         spawn merge(quarters 2, 3 -> temp);
 *         sync;                                 sort_merge_halves, at the sort's level
 *         spawn merge(halves of temp -> keys);      one merge one level deeper
 *     }
 *
 *     cilk void merge(a, b -> to)               merge_spawn
 *     {
 *         if (n <= 128) { ... return; }             merged by the work-item
 *         spawn merge(the lower half);              two merges one level deeper
 *         spawn merge(the upper half);
 *     }
 *
 * Nothing waits for a merge but by its level: a continuation runs when nothing is outstanding at
 * deeper levels, and all merges that it depends on are deeper. */
#include "programs/cilksort/base.h"
#include "programs/cilksort/cilksort.h"
#include "wave/sluice_wave.h"

SL_KERNEL void sort_spawn(int source, int index, int quarters, uint32_t *keys)
{
    const struct sort_piece sort = *(const struct sort_piece *)sl_deq(source, index);

    if (sort.count <= SORT_BASE) {
        sort_base((sort_key_slot *)(keys + sort.first), sort.count);
    } else {
        const uint32_t quarter = sort_quarter(sort.count);
        const int level = sl_stack_beside(source, quarters);
        const int deeper = sl_stack_deeper(source);
        struct sort_piece *const continuation = sl_talloc_or_yield(level, 1);
        struct sort_piece *const sorts = sl_talloc_or_yield(deeper, 4);
        *continuation = sort;
        sorts[0] = (struct sort_piece){sort.first, quarter};
        sorts[1] = (struct sort_piece){sort.first + quarter, quarter};
        sorts[2] = (struct sort_piece){sort.first + 2 * quarter, quarter};
        sorts[3] = (struct sort_piece){sort.first + 3 * quarter, sort.count - 3 * quarter};
        sl_enq(deeper, sorts, 4);
        sl_enq(level, continuation, 1);
    }
    sl_tfree(source, index);
}

SL_KERNEL void sort_merge_quarters(int source, int index, int halves, int merges)
{
    const struct sort_piece sort = *(const struct sort_piece *)sl_deq(source, index);
    const uint32_t quarter = sort_quarter(sort.count);
    const int level = sl_stack_beside(source, halves);
    const int deeper = sl_stack_deeper(sl_stack_beside(source, merges));
    struct sort_piece *const continuation = sl_talloc_or_yield(level, 1);
    struct sort_merge *const merge = sl_talloc_or_yield(deeper, 2);
    const uint32_t middle = sort.first + 2 * quarter;

    *continuation = sort;
    merge[0] =
        (struct sort_merge){{sort.first, sort.first + quarter}, {quarter, quarter}, sort.first, 0};
    merge[1] = (struct sort_merge){
        {middle, middle + quarter}, {quarter, sort.count - 3 * quarter}, middle, 0};
    sl_enq(deeper, merge, 2);
    sl_enq(level, continuation, 1);
    sl_tfree(source, index);
}

SL_KERNEL void sort_merge_halves(int source, int index, int merges)
{
    const struct sort_piece sort = *(const struct sort_piece *)sl_deq(source, index);
    const uint32_t half = 2 * sort_quarter(sort.count);
    const int deeper = sl_stack_deeper(sl_stack_beside(source, merges));
    struct sort_merge *const merge = sl_talloc_or_yield(deeper, 1);

    *merge = (struct sort_merge){
        {sort.first, sort.first + half}, {half, sort.count - half}, sort.first, 1};
    sl_enq(deeper, merge, 1);
    sl_tfree(source, index);
}

SL_KERNEL void merge_spawn(int source, int index, uint32_t *keys, uint32_t *temporary)
{
    const struct sort_merge merge = *(const struct sort_merge *)sl_deq(source, index);
    const uint32_t *const from = merge.is_back ? temporary : keys;
    uint32_t *const to = merge.is_back ? keys : temporary;
    const uint32_t *const a = from + merge.first[0];
    const uint32_t *const b = from + merge.first[1];
    const uint32_t count = merge.count[0] + merge.count[1];

    if (count <= MERGE_BASE) {
        sort_merge_base(sort_run_of(a, merge.count[0]), sort_run_of(b, merge.count[1]),
                        (sort_key_slot *)(to + merge.to), count);
    } else {
        const uint32_t half = sort_half(merge.to, count);
        const uint32_t of_a = sort_split(a, merge.count[0], b, merge.count[1], half);
        const uint32_t of_b = half - of_a;
        const int deeper = sl_stack_deeper(source);
        struct sort_merge *const merges = sl_talloc_or_yield(deeper, 2);
        merges[0] = (struct sort_merge){
            {merge.first[0], merge.first[1]}, {of_a, of_b}, merge.to, merge.is_back};
        merges[1] = (struct sort_merge){{merge.first[0] + of_a, merge.first[1] + of_b},
                                        {merge.count[0] - of_a, merge.count[1] - of_b},
                                        merge.to + half,
                                        merge.is_back};
        sl_enq(deeper, merges, 2);
    }
    sl_tfree(source, index);
}
