/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The naive Fibonacci kernel of the core paper's Figure 6: each base case adds 1 to the result, so
 * that the sum is fib(n). One difference: the channel is one of a graph that never yields, so that
 * no space in it is a trap. */
#include "sluice/wave/wave.h"

/* The host puts the first one in: tests/workloads/fib/fib.c. */
struct fib_element {
    int32_t value;
};

SL_KERNEL void fib_kernel(int source, int index, int destination, uint64_t *result)
{
    const struct fib_element *element = sl_deq(source, index);
    if (element->value <= 2) {
        sl_atomic_add_u64(result, 1);
    } else {
        struct fib_element *children = sl_talloc_or_trap(destination, 2);
        children[0].value = element->value - 1;
        children[1].value = element->value - 2;
        sl_enq(destination, children, 2);
    }
    sl_tfree(source, index);
}

/* The same by views (sluice/view.h), for elements that are not one behind the other: one text for
 * both forms, which are constants in their kernels. */
static inline __attribute__((always_inline)) void fib(enum sl_form form, int source, int index,
                                                      int destination, uint64_t *result)
{
    const struct sl_view element = sl_view_deq(form, source, index);
    const int32_t value = SL_FIELD(element, 0, struct fib_element, value);
    if (value <= 2) {
        sl_atomic_add_u64(result, 1);
    } else {
        void *const made = sl_talloc_or_trap(destination, 2);
        const struct sl_view children = sl_view(form, destination, made);
        SL_FIELD(children, 0, struct fib_element, value) = value - 1;
        SL_FIELD(children, 1, struct fib_element, value) = value - 2;
        sl_enq(destination, made, 2);
    }
    sl_tfree(source, index);
}

SL_KERNEL void fib_kernel_padded(int source, int index, int destination, uint64_t *result)
{
    fib(SL_PADDED, source, index, destination, result);
}

SL_KERNEL void fib_kernel_soa(int source, int index, int destination, uint64_t *result)
{
    fib(SL_SOA, source, index, destination, result);
}
