/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of cilk_fib.c (cilk_fib_kernel.c) by views (sluice/view.h), for channels whose
 * elements are not one behind the other: one text for both forms, which are constants in their
 * kernels. */
#include "sluice/wave/wave.h"
#include "workloads/fib/cilk_fib.h"

#define INLINE static inline __attribute__((always_inline))

INLINE void spawn(enum sl_form form, int source, int index, int continuations)
{
    const struct sl_view task = sl_view_deq(form, source, index);
    const uint32_t n = SL_FIELD(task, 0, struct fib_task, n);
    uint64_t *const result = SL_FIELD(task, 0, struct fib_task, result);

    if (n <= 2) {
        *result = 1;
    } else {
        const int level = sl_stack_beside(source, continuations);
        const int deeper = sl_stack_deeper(source);
        void *const join_made = sl_talloc_or_yield(level, 1);
        void *const children_made = sl_talloc_or_yield(deeper, 2);
        const struct sl_view join = sl_view(form, level, join_made);
        const struct sl_view children = sl_view(form, deeper, children_made);
        SL_FIELD(join, 0, struct fib_join, result) = result;
        SL_FIELD(children, 0, struct fib_task, n) = n - 1;
        SL_FIELD(children, 0, struct fib_task, result) =
            &SL_FIELD(join, 0, struct fib_join, value[0]);
        SL_FIELD(children, 1, struct fib_task, n) = n - 2;
        SL_FIELD(children, 1, struct fib_task, result) =
            &SL_FIELD(join, 0, struct fib_join, value[1]);
        sl_enq(deeper, children_made, 2);
        sl_enq(level, join_made, 1);
    }
    sl_tfree(source, index);
}

INLINE void sync(enum sl_form form, int source, int index)
{
    const struct sl_view join = sl_view_deq(form, source, index);

    *SL_FIELD(join, 0, struct fib_join, result) =
        SL_FIELD(join, 0, struct fib_join, value[0]) + SL_FIELD(join, 0, struct fib_join, value[1]);
    sl_tfree(source, index);
}

SL_KERNEL void fib_spawn_padded(int source, int index, int continuations)
{
    spawn(SL_PADDED, source, index, continuations);
}

SL_KERNEL void fib_spawn_soa(int source, int index, int continuations)
{
    spawn(SL_SOA, source, index, continuations);
}

SL_KERNEL void fib_sync_padded(int source, int index)
{
    sync(SL_PADDED, source, index);
}

SL_KERNEL void fib_sync_soa(int source, int index)
{
    sync(SL_SOA, source, index);
}
