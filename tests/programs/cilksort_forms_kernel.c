/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of cilksort.c (cilksort_kernel.c) by views (sluice/view.h), for channels whose
 * elements are not one behind the other: one text for both forms, which are constants in their
 * kernels. */
#include "programs/cilksort/base.h"
#include "programs/cilksort/cilksort.h"
#include "wave/sluice_wave.h"

#define INLINE static inline __attribute__((always_inline))

INLINE struct sort_piece get_piece(struct sl_view view)
{
    return (struct sort_piece){SL_FIELD(view, 0, struct sort_piece, first),
                               SL_FIELD(view, 0, struct sort_piece, count)};
}

INLINE void put_piece(struct sl_view view, uint32_t k, struct sort_piece piece)
{
    SL_FIELD(view, k, struct sort_piece, first) = piece.first;
    SL_FIELD(view, k, struct sort_piece, count) = piece.count;
}

INLINE struct sort_merge get_merge(struct sl_view view)
{
    return (struct sort_merge){{SL_FIELD(view, 0, struct sort_merge, first[0]),
                                SL_FIELD(view, 0, struct sort_merge, first[1])},
                               {SL_FIELD(view, 0, struct sort_merge, count[0]),
                                SL_FIELD(view, 0, struct sort_merge, count[1])},
                               SL_FIELD(view, 0, struct sort_merge, to),
                               SL_FIELD(view, 0, struct sort_merge, is_back)};
}

INLINE void put_merge(struct sl_view view, uint32_t k, struct sort_merge merge)
{
    SL_FIELD(view, k, struct sort_merge, first[0]) = merge.first[0];
    SL_FIELD(view, k, struct sort_merge, first[1]) = merge.first[1];
    SL_FIELD(view, k, struct sort_merge, count[0]) = merge.count[0];
    SL_FIELD(view, k, struct sort_merge, count[1]) = merge.count[1];
    SL_FIELD(view, k, struct sort_merge, to) = merge.to;
    SL_FIELD(view, k, struct sort_merge, is_back) = merge.is_back;
}

/* The merge of two runs that follow each other, from `first` on, of a and of b keys. */
INLINE struct sort_merge merge_of(uint32_t first, uint32_t a, uint32_t b, uint32_t is_back)
{
    return (struct sort_merge){{first, first + a}, {a, b}, first, is_back};
}

INLINE void spawn(enum sl_form form, int source, int index, int quarters, uint32_t *keys)
{
    const struct sort_piece sort = get_piece(sl_view_deq(form, source, index));

    if (sort.count <= SORT_BASE) {
        sort_base((sort_key_slot *)(keys + sort.first), sort.count);
    } else {
        const uint32_t quarter = sort_quarter(sort.count);
        const int level = sl_stack_beside(source, quarters);
        const int deeper = sl_stack_deeper(source);
        void *const continuation = sl_talloc_or_yield(level, 1);
        void *const made = sl_talloc_or_yield(deeper, 4);
        const struct sl_view sorts = sl_view(form, deeper, made);
        put_piece(sl_view(form, level, continuation), 0, sort);
        for (uint32_t i = 0; i < 3; i++) {
            put_piece(sorts, i, (struct sort_piece){sort.first + i * quarter, quarter});
        }
        put_piece(sorts, 3,
                  (struct sort_piece){sort.first + 3 * quarter, sort.count - 3 * quarter});
        sl_enq(deeper, made, 4);
        sl_enq(level, continuation, 1);
    }
    sl_tfree(source, index);
}

INLINE void merge_quarters(enum sl_form form, int source, int index, int halves, int merges)
{
    const struct sort_piece sort = get_piece(sl_view_deq(form, source, index));
    const uint32_t quarter = sort_quarter(sort.count);
    const uint32_t last = sort.count - 3 * quarter;
    const int level = sl_stack_beside(source, halves);
    const int deeper = sl_stack_deeper(sl_stack_beside(source, merges));
    void *const continuation = sl_talloc_or_yield(level, 1);
    void *const made = sl_talloc_or_yield(deeper, 2);
    const struct sl_view merge = sl_view(form, deeper, made);

    put_piece(sl_view(form, level, continuation), 0, sort);
    put_merge(merge, 0, merge_of(sort.first, quarter, quarter, 0));
    put_merge(merge, 1, merge_of(sort.first + 2 * quarter, quarter, last, 0));
    sl_enq(deeper, made, 2);
    sl_enq(level, continuation, 1);
    sl_tfree(source, index);
}

INLINE void merge_halves(enum sl_form form, int source, int index, int merges)
{
    const struct sort_piece sort = get_piece(sl_view_deq(form, source, index));
    const uint32_t half = 2 * sort_quarter(sort.count);
    const int deeper = sl_stack_deeper(sl_stack_beside(source, merges));
    void *const made = sl_talloc_or_yield(deeper, 1);

    put_merge(sl_view(form, deeper, made), 0, merge_of(sort.first, half, sort.count - half, 1));
    sl_enq(deeper, made, 1);
    sl_tfree(source, index);
}

INLINE void merge_runs(enum sl_form form, int source, int index, uint32_t *keys,
                       uint32_t *temporary)
{
    const struct sort_merge merge = get_merge(sl_view_deq(form, source, index));
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
        void *const made = sl_talloc_or_yield(deeper, 2);
        const struct sl_view merges = sl_view(form, deeper, made);
        put_merge(merges, 0,
                  (struct sort_merge){
                      {merge.first[0], merge.first[1]}, {of_a, of_b}, merge.to, merge.is_back});
        put_merge(merges, 1,
                  (struct sort_merge){{merge.first[0] + of_a, merge.first[1] + of_b},
                                      {merge.count[0] - of_a, merge.count[1] - of_b},
                                      merge.to + half,
                                      merge.is_back});
        sl_enq(deeper, made, 2);
    }
    sl_tfree(source, index);
}

/* All of cilksort/base.h becomes part of each kernel, as it does where a file has but one that uses
 * it: runs that are handed to functions would be on the lanes' stacks, and not in registers. */
#define FLAT_KERNEL SL_KERNEL __attribute__((flatten))

#define KERNELS(suffix, form)                                                                      \
    FLAT_KERNEL void sort_spawn##suffix(int source, int index, int quarters, uint32_t *keys)       \
    {                                                                                              \
        spawn(form, source, index, quarters, keys);                                                \
    }                                                                                              \
    FLAT_KERNEL void sort_merge_quarters##suffix(int source, int index, int halves, int merges)    \
    {                                                                                              \
        merge_quarters(form, source, index, halves, merges);                                       \
    }                                                                                              \
    FLAT_KERNEL void sort_merge_halves##suffix(int source, int index, int merges)                  \
    {                                                                                              \
        merge_halves(form, source, index, merges);                                                 \
    }                                                                                              \
    FLAT_KERNEL void merge_spawn##suffix(int source, int index, uint32_t *keys,                    \
                                         uint32_t *temporary)                                      \
    {                                                                                              \
        merge_runs(form, source, index, keys, temporary);                                          \
    }

KERNELS(_padded, SL_PADDED)
KERNELS(_soa, SL_SOA)
