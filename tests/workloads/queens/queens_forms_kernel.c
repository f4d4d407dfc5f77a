/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of queens.c (queens_kernel.c) by views (sluice/view.h), for channels whose elements
 * are not one behind the other: one text for both forms, which are constants in their kernels. */
#include "sluice/wave/wave.h"
#include "workloads/queens/queens.h"
#include "workloads/queens/queens_search.h"

#define INLINE static inline __attribute__((always_inline))

INLINE void spawn(enum sl_form form, int source, int index, int continuations, uint64_t all,
                  uint32_t small_level, uint32_t small_columns, uint32_t batch, uint32_t rounds)
{
    const struct sl_view task = sl_view_deq(form, source, index);
    const struct nqueens_board board = {SL_FIELD(task, 0, struct queens_task, columns),
                                        SL_FIELD(task, 0, struct queens_task, diagonals),
                                        SL_FIELD(task, 0, struct queens_task, antidiagonals)};
    uint32_t *const result = SL_FIELD(task, 0, struct queens_task, result);
    uint64_t untried = nqueens_free(&board, all);
    const uint32_t children = queens_count(untried);
    const bool is_small = sl_stack_level(source) >= small_level || children <= small_columns;

    if (!is_small) {
        const int level = sl_stack_beside(source, continuations);
        const int deeper = sl_stack_deeper(source);
        void *const join_made = sl_talloc_or_yield(level, 1);
        const struct sl_view join = sl_view(form, level, join_made);
        SL_FIELD(join, 0, struct queens_join, result) = result;
        SL_FIELD(join, 0, struct queens_join, children) = children;
        for (uint32_t done = 0; done < children; done += batch) {
            const uint32_t now = children - done < batch ? children - done : batch;
            void *const made = sl_talloc_or_yield(deeper, (int)now);
            const struct sl_view child = sl_view(form, deeper, made);
            for (uint32_t i = 0; i < now; i++) {
                const struct nqueens_board next = nqueens_place(&board, untried & -untried, all);
                untried &= untried - 1;
                SL_FIELD(child, i, struct queens_task, result) =
                    &SL_FIELD(join, 0, struct queens_join, value[done + i]);
                SL_FIELD(child, i, struct queens_task, columns) = (uint16_t)next.columns;
                SL_FIELD(child, i, struct queens_task, diagonals) = (uint16_t)next.diagonals;
                SL_FIELD(child, i, struct queens_task, antidiagonals) =
                    (uint16_t)next.antidiagonals;
            }
            sl_enq(deeper, made, (int)now);
        }
        sl_enq(level, join_made, 1);
    }
    const uint32_t solutions = queens_finish(sl_lds_dynamic(), &board, untried, all, rounds);
    if (is_small) {
        *result = solutions;
    }
    sl_tfree(source, index);
}

INLINE void sync(enum sl_form form, int source, int index)
{
    const struct sl_view join = sl_view_deq(form, source, index);
    const uint32_t children = SL_FIELD(join, 0, struct queens_join, children);
    uint32_t sum = 0;

    for (uint32_t i = 0; i < children; i++) {
        sum += SL_FIELD(join, 0, struct queens_join, value[i]);
    }
    *SL_FIELD(join, 0, struct queens_join, result) = sum;
    sl_tfree(source, index);
}

#define KERNELS(suffix, form)                                                                      \
    SL_KERNEL void queens_spawn##suffix(int source, int index, int continuations, uint64_t all,    \
                                        uint32_t small_level, uint32_t small_columns,              \
                                        uint32_t batch, uint32_t rounds)                           \
    {                                                                                              \
        spawn(form, source, index, continuations, all, small_level, small_columns, batch, rounds); \
    }                                                                                              \
    SL_KERNEL void queens_sync##suffix(int source, int index)                                      \
    {                                                                                              \
        sync(form, source, index);                                                                 \
    }

KERNELS(_padded, SL_PADDED)
KERNELS(_soa, SL_SOA)
