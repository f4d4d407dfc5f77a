/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of strassen.c (strassen_kernel.c) by views (sluice/view.h), for channels whose
 * elements are not one behind the other: one text for both forms, which are constants in their
 * kernels. */
#include "sluice/wave/wave.h"
#include "workloads/strassen/group.h"
#include "workloads/strassen/strassen_task.h"

#define INLINE static inline __attribute__((always_inline))

INLINE struct strassen_task get_task(struct sl_view view)
{
    return (struct strassen_task){.left = SL_FIELD(view, 0, struct strassen_task, left),
                                  .right = SL_FIELD(view, 0, struct strassen_task, right),
                                  .product = SL_FIELD(view, 0, struct strassen_task, product),
                                  .n = SL_FIELD(view, 0, struct strassen_task, n)};
}

INLINE void put_task(struct sl_view view, uint32_t k, struct strassen_task task)
{
    SL_FIELD(view, k, struct strassen_task, left) = task.left;
    SL_FIELD(view, k, struct strassen_task, right) = task.right;
    SL_FIELD(view, k, struct strassen_task, product) = task.product;
    SL_FIELD(view, k, struct strassen_task, n) = task.n;
}

INLINE void multiply(enum sl_form form, int source, int index, float *elements)
{
    const struct strassen_task task = get_task(sl_view_deq(form, source, index));

    if (task.n == STRASSEN_BLOCK) {
        group_multiply(elements + task.left, elements + task.right, elements + task.product);
    } else {
        const int deeper = sl_stack_deeper(source);
        void *const made = sl_talloc_or_yield(deeper, STRASSEN_CHILDREN);
        const struct sl_view children = sl_view(form, deeper, made);
        for (uint32_t child = 0; child < STRASSEN_CHILDREN; child++) {
            put_task(children, child, strassen_child(&task, task.n / 2, child));
        }
        sl_enq(deeper, made, STRASSEN_CHILDREN);
    }
    sl_tfree(source, index);
}

/* The product of two blocks becomes part of each kernel, as it does where a file has but one. */
#define FLAT_KERNEL SL_KERNEL __attribute__((flatten))

FLAT_KERNEL void strassen_multiply_padded(int source, int index, float *elements)
{
    multiply(SL_PADDED, source, index, elements);
}

FLAT_KERNEL void strassen_multiply_soa(int source, int index, float *elements)
{
    multiply(SL_SOA, source, index, elements);
}
