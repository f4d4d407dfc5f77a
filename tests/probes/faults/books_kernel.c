/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels that falsify the books of their channel, for books.c; none of them faults by itself. They
 * consume BOOKS_ELEMENTS elements of channel 0, one lane each, and put none in but where they say
 * so. What is stored to, the host gives as an argument. */
#include "workloads/common/relay_kernel.h"

#include "probes/faults/books.h"

SL_KERNEL void books_free_twice(int source, int index)
{
    if (sl_lane_id() == 0) {
        sl_tfree(source, index);
    }
    sl_tfree(source, index);
}

/* Lane 0 frees an index of the second channel too, which holds nothing. */
SL_KERNEL void books_free_other(int source, int index)
{
    sl_tfree(source, index);
    if (sl_lane_id() == 0) {
        sl_tfree(source + 1, index);
    }
}

SL_KERNEL void books_enqueue_twice(int source, int index)
{
    const struct relay_element *const element = sl_deq(source, index);
    if (element->rounds > 0 && sl_lane_id() == 0) {
        struct relay_element *const made = sl_talloc_or_trap(source, 1);
        made->rounds = 0;
        sl_enq(source, made, 1);
        sl_enq(source, made, 1);
    }
    sl_tfree(source, index);
}

/* What is in the hands of another lane: it was dispatched with this one. */
SL_KERNEL void books_enqueue_taken(int source, int index)
{
    struct relay_element *const element = sl_deq(source, index);
    if (element->rounds > 0 && sl_lane_id() == 0) {
        element->rounds = 0;
        sl_enq(source, element, 1);
    }
    sl_tfree(source, index);
}

SL_KERNEL void books_never_enqueue(int source, int index)
{
    if (sl_lane_id() < 3) {
        (void)sl_talloc_or_trap(source, 1);
    }
    sl_tfree(source, index);
}

/* One lane writes a word, then all free. */
SL_KERNEL void books_store(int source, int index, volatile uint32_t *word, uint32_t value)
{
    if (sl_lane_id() == 0) {
        *word = value;
    }
    sl_tfree(source, index);
}

SL_KERNEL void books_add(int source, int index, uint64_t *counter, uint64_t more)
{
    if (sl_lane_id() == 0) {
        sl_atomic_add_u64(counter, more);
    }
    sl_tfree(source, index);
}
