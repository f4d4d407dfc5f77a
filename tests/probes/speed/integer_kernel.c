/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of integer.c: rounds of shifts, additions and a branch in registers, one store at the
 * end. */
#include "probes/speed/integer.h"
#include "sluice/wave/wave.h"

SL_KERNEL void integer_kernel(int source, int index, uint64_t *results, uint64_t rounds)
{
    const struct integer_element *element = sl_deq(source, index);
    results[element->number] = integer_rounds(element->number, rounds);
    sl_tfree(source, index);
}
