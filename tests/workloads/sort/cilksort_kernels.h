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
 *         if (n <= base) { ... return; }            merged by the work-item
 *         spawn merge(the lower half);              two merges one level deeper
 *         spawn merge(the upper half);
 *     }
 *
 * Nothing waits for a merge but by its level: a continuation runs when nothing is outstanding at
 * deeper levels, and all merges that it depends on are deeper.
 *
 * One text for all forms of elements (sluice/view.h) and both kinds of base cases, which are
 * constants in their kernels. */
#ifndef SLUICE_WORKLOADS_SORT_CILKSORT_KERNELS_H
#define SLUICE_WORKLOADS_SORT_CILKSORT_KERNELS_H

#include "sluice/wave/wave.h"
#include "workloads/sort/branchy.h"
#include "workloads/sort/cilksort.h"
#include "workloads/sort/lines.h"
#include "workloads/sort/merge.h"
#include "workloads/sort/network.h"

/* Up to so many keys, as two base sorts give, a work-item merges by lines. */
#define SORT_LINES_MAX (2 * SORT_BASE)

enum sort_base { SORT_BASE_NETWORK, SORT_BASE_BRANCHY };

SORT_INLINE struct sort_piece sort_get_piece(struct sl_view view)
{
    return (struct sort_piece){SL_FIELD(view, 0, struct sort_piece, first),
                               SL_FIELD(view, 0, struct sort_piece, count)};
}

SORT_INLINE void sort_put_piece(struct sl_view view, uint32_t k, struct sort_piece piece)
{
    SL_FIELD(view, k, struct sort_piece, first) = piece.first;
    SL_FIELD(view, k, struct sort_piece, count) = piece.count;
}

SORT_INLINE struct sort_merge sort_get_merge(struct sl_view view)
{
    return (struct sort_merge){{SL_FIELD(view, 0, struct sort_merge, first[0]),
                                SL_FIELD(view, 0, struct sort_merge, first[1])},
                               {SL_FIELD(view, 0, struct sort_merge, count[0]),
                                SL_FIELD(view, 0, struct sort_merge, count[1])},
                               SL_FIELD(view, 0, struct sort_merge, to),
                               SL_FIELD(view, 0, struct sort_merge, is_back)};
}

SORT_INLINE void sort_put_merge(struct sl_view view, uint32_t k, struct sort_merge merge)
{
    SL_FIELD(view, k, struct sort_merge, first[0]) = merge.first[0];
    SL_FIELD(view, k, struct sort_merge, first[1]) = merge.first[1];
    SL_FIELD(view, k, struct sort_merge, count[0]) = merge.count[0];
    SL_FIELD(view, k, struct sort_merge, count[1]) = merge.count[1];
    SL_FIELD(view, k, struct sort_merge, to) = merge.to;
    SL_FIELD(view, k, struct sort_merge, is_back) = merge.is_back;
}

/* The merge of two runs that follow each other, from `first` on, of a and of b keys. */
SORT_INLINE struct sort_merge sort_merge_of(uint32_t first, uint32_t a, uint32_t b,
                                            uint32_t is_back)
{
    return (struct sort_merge){{first, first + a}, {a, b}, first, is_back};
}

SORT_INLINE void sort_spawn_as(enum sl_form form, enum sort_base base, int source, int index,
                               int quarters, uint32_t *keys)
{
    const struct sort_piece sort = sort_get_piece(sl_view_deq(form, source, index));

    if (sort.count > SORT_BASE) {
        const uint32_t quarter = sort_quarter(sort.count);
        const int level = sl_stack_beside(source, quarters);
        const int deeper = sl_stack_deeper(source);
        void *const continuation = sl_talloc_or_yield(level, 1);
        void *const made = sl_talloc_or_yield(deeper, 4);
        const struct sl_view sorts = sl_view(form, deeper, made);
        sort_put_piece(sl_view(form, level, continuation), 0, sort);
        for (uint32_t i = 0; i < 3; i++) {
            sort_put_piece(sorts, i, (struct sort_piece){sort.first + i * quarter, quarter});
        }
        sort_put_piece(sorts, 3,
                       (struct sort_piece){sort.first + 3 * quarter, sort.count - 3 * quarter});
        sl_enq(deeper, made, 4);
        sl_enq(level, continuation, 1);
    } else if (base == SORT_BASE_BRANCHY) {
        sort_branchy(keys + sort.first, sort.count);
    } else {
        sort_network(keys + sort.first, sort.count);
    }
    sl_tfree(source, index);
}

SORT_INLINE void sort_merge_quarters_as(enum sl_form form, int source, int index, int halves,
                                        int merges)
{
    const struct sort_piece sort = sort_get_piece(sl_view_deq(form, source, index));
    const uint32_t quarter = sort_quarter(sort.count);
    const uint32_t last = sort.count - 3 * quarter;
    const int level = sl_stack_beside(source, halves);
    const int deeper = sl_stack_deeper(sl_stack_beside(source, merges));
    void *const continuation = sl_talloc_or_yield(level, 1);
    void *const made = sl_talloc_or_yield(deeper, 2);
    const struct sl_view merge = sl_view(form, deeper, made);

    sort_put_piece(sl_view(form, level, continuation), 0, sort);
    sort_put_merge(merge, 0, sort_merge_of(sort.first, quarter, quarter, 0));
    sort_put_merge(merge, 1, sort_merge_of(sort.first + 2 * quarter, quarter, last, 0));
    sl_enq(deeper, made, 2);
    sl_enq(level, continuation, 1);
    sl_tfree(source, index);
}

SORT_INLINE void sort_merge_halves_as(enum sl_form form, int source, int index, int merges)
{
    const struct sort_piece sort = sort_get_piece(sl_view_deq(form, source, index));
    const uint32_t half = 2 * sort_quarter(sort.count);
    const int deeper = sl_stack_deeper(sl_stack_beside(source, merges));
    void *const made = sl_talloc_or_yield(deeper, 1);

    sort_put_merge(sl_view(form, deeper, made), 0,
                   sort_merge_of(sort.first, half, sort.count - half, 1));
    sl_enq(deeper, made, 1);
    sl_tfree(source, index);
}

SORT_INLINE void merge_spawn_as(enum sl_form form, enum sort_base base, int source, int index,
                                uint32_t *keys, uint32_t *temporary, uint32_t base_count)
{
    const struct sort_merge merge = sort_get_merge(sl_view_deq(form, source, index));
    const uint32_t *const from = merge.is_back ? temporary : keys;
    uint32_t *const to = (merge.is_back ? keys : temporary) + merge.to;
    const uint32_t *const a = from + merge.first[0];
    const uint32_t *const b = from + merge.first[1];
    const uint32_t count = merge.count[0] + merge.count[1];

    if (count > base_count) {
        const uint32_t half = sort_half(count);
        const uint32_t of_a = sort_split(a, merge.count[0], b, merge.count[1], half);
        const uint32_t of_b = half - of_a;
        const int deeper = sl_stack_deeper(source);
        void *const made = sl_talloc_or_yield(deeper, 2);
        const struct sl_view merges = sl_view(form, deeper, made);
        sort_put_merge(
            merges, 0,
            (struct sort_merge){
                {merge.first[0], merge.first[1]}, {of_a, of_b}, merge.to, merge.is_back});
        sort_put_merge(merges, 1,
                       (struct sort_merge){{merge.first[0] + of_a, merge.first[1] + of_b},
                                           {merge.count[0] - of_a, merge.count[1] - of_b},
                                           merge.to + half,
                                           merge.is_back});
        sl_enq(deeper, made, 2);
    } else if (base == SORT_BASE_BRANCHY) {
        sort_merge_branchy(a, merge.count[0], b, merge.count[1], to);
    } else if (count <= SORT_LINES_MAX) {
        sort_merge_lines(a, merge.count[0], b, merge.count[1], to);
    } else {
        sort_merge_keys(a, merge.count[0], b, merge.count[1], to);
    }
    sl_tfree(source, index);
}

/* All kernels for a form of elements, under names that end in `suffix`. */
#define SORT_KERNELS_FOR(suffix, form, base)                                                       \
    SL_KERNEL void sort_spawn##suffix(int source, int index, int quarters, uint32_t *keys)         \
    {                                                                                              \
        sort_spawn_as(form, base, source, index, quarters, keys);                                  \
    }                                                                                              \
    SL_KERNEL void merge_spawn##suffix(int source, int index, uint32_t *keys, uint32_t *temporary, \
                                       uint32_t base_count)                                        \
    {                                                                                              \
        merge_spawn_as(form, base, source, index, keys, temporary, base_count);                    \
    }

#define SORT_KERNELS(suffix, form)                                                                 \
    SORT_KERNELS_FOR(suffix, form, SORT_BASE_NETWORK)                                              \
    SORT_KERNELS_FOR(_branchy##suffix, form, SORT_BASE_BRANCHY)                                    \
    SL_KERNEL void sort_merge_quarters##suffix(int source, int index, int halves, int merges)      \
    {                                                                                              \
        sort_merge_quarters_as(form, source, index, halves, merges);                               \
    }                                                                                              \
    SL_KERNEL void sort_merge_halves##suffix(int source, int index, int merges)                    \
    {                                                                                              \
        sort_merge_halves_as(form, source, index, merges);                                         \
    }

#endif
