/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of feed.c. */
#include "probes/channels/feed.h"

#include "sluice/wave/wave.h"
#include "workloads/common/relay_kernel.h"

static inline void add(struct feed_result *result, uint64_t value)
{
    sl_atomic_add_u64(&result->sum, value * result->factor);
    sl_atomic_add_u64(&result->elements, 1);
}

SL_KERNEL void feed_add(int source, int index, struct feed_result *result)
{
    const struct feed_element *element = sl_deq(source, index);

    add(result, element->value);
    sl_tfree(source, index);
}

SL_KERNEL void feed_add_padded(int source, int index, struct feed_result *result)
{
    const struct sl_view element = sl_view_deq(SL_PADDED, source, index);

    add(result, SL_FIELD(element, 0, struct feed_element, value));
    sl_tfree(source, index);
}

/* Frees nothing. */
SL_KERNEL void feed_keep(int source, int index, struct feed_result *result)
{
    const struct feed_element *element = sl_deq(source, index);

    add(result, element->value);
}

SL_KERNEL void feed_fault(int source, int index, struct feed_result *result)
{
    const struct feed_element *element = sl_deq(source, index);

    add(element->value == 7 ? NULL : result, element->value);
    sl_tfree(source, index);
}

/* Passes each element on to another channel, to which the host may put elements too. */
SL_KERNEL void feed_pass(int source, int index, int destination)
{
    const struct feed_element element = *(const struct feed_element *)sl_deq(source, index);
    struct feed_element *const passed = sl_talloc_or_yield(destination, 1);

    *passed = element;
    sl_enq(destination, passed, 1);
    sl_tfree(source, index);
}

/* Of a stack: a binary tree, whose leaves add up. */
SL_KERNEL void feed_split(int source, int index, struct feed_result *result)
{
    const struct feed_element element = *(const struct feed_element *)sl_deq(source, index);

    if (element.depth == 0) {
        add(result, element.value);
    } else {
        const int deeper = sl_stack_deeper(source);
        struct feed_element *const children = sl_talloc_or_yield(deeper, 2);
        children[0] = (struct feed_element){element.value, element.depth - 1};
        children[1] = (struct feed_element){element.value + 1, element.depth - 1};
        sl_enq(deeper, children, 2);
    }
    sl_tfree(source, index);
}
