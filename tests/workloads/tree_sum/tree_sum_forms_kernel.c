/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of tree_sum.c (tree_sum_kernel.c) by views (sluice/view.h), for channels whose
 * elements are not one behind the other: one text for both forms, which are constants in their
 * kernels. */
#include "sluice/wave/wave.h"
#include "workloads/tree_sum/tree_sum.h"

#define INLINE static inline __attribute__((always_inline))

INLINE void spawn(enum sl_form form, int source, int index, int continuations)
{
    const struct sl_view task = sl_view_deq(form, source, index);
    const struct tree_node *const node = SL_FIELD(task, 0, struct tree_task, node);
    uint64_t *const result = SL_FIELD(task, 0, struct tree_task, result);
    const int children = (node->child[0] != NULL) + (node->child[1] != NULL);

    if (children == 0) {
        *result = node->value;
    } else {
        const int level = sl_stack_beside(source, continuations);
        const int deeper = sl_stack_deeper(source);
        void *const join_made = sl_talloc_or_yield(level, 1);
        void *const tasks_made = sl_talloc_or_yield(deeper, children);
        const struct sl_view join = sl_view(form, level, join_made);
        const struct sl_view tasks = sl_view(form, deeper, tasks_made);
        SL_FIELD(join, 0, struct tree_join, result) = result;
        SL_FIELD(join, 0, struct tree_join, value) = node->value;
        for (uint32_t i = 0, made = 0; i < CHILDREN; i++) {
            uint64_t *const sum = &SL_FIELD(join, 0, struct tree_join, sum[i]);
            *sum = 0;
            if (node->child[i] != NULL) {
                SL_FIELD(tasks, made, struct tree_task, node) = node->child[i];
                SL_FIELD(tasks, made, struct tree_task, result) = sum;
                made++;
            }
        }
        sl_enq(deeper, tasks_made, children);
        sl_enq(level, join_made, 1);
    }
    sl_tfree(source, index);
}

INLINE void sync(enum sl_form form, int source, int index)
{
    const struct sl_view join = sl_view_deq(form, source, index);
    uint64_t sum = SL_FIELD(join, 0, struct tree_join, value);

    for (uint32_t i = 0; i < CHILDREN; i++) {
        sum += SL_FIELD(join, 0, struct tree_join, sum[i]);
    }
    *SL_FIELD(join, 0, struct tree_join, result) = sum;
    sl_tfree(source, index);
}

#define KERNELS(suffix, form)                                                                      \
    SL_KERNEL void tree_spawn##suffix(int source, int index, int continuations)                    \
    {                                                                                              \
        spawn(form, source, index, continuations);                                                 \
    }                                                                                              \
    SL_KERNEL void tree_sync##suffix(int source, int index)                                        \
    {                                                                                              \
        sync(form, source, index);                                                                 \
    }

KERNELS(_padded, SL_PADDED)
KERNELS(_soa, SL_SOA)
