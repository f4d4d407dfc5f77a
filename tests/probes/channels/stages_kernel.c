/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of stages.c. None of them yields: seeds go only while there is space for parts. */
#include "probes/channels/stages.h"
#include "sluice/wave/wave.h"

SL_KERNEL void seed_kernel(int source, int index, int parts)
{
    const struct seed *const seed = sl_deq(source, index);
    struct part *const made = sl_talloc_or_trap(parts, PARTS);
    for (uint32_t i = 0; i < PARTS; i++) {
        made[i].value = seed->number * PARTS + i;
    }
    sl_enq(parts, made, PARTS);
    sl_tfree(source, index);
}

SL_KERNEL void part_kernel(int source, int index, uint64_t *sum)
{
    const struct part *const part = sl_deq(source, index);
    sl_atomic_add_u64(sum, weight(part->value));
    sl_tfree(source, index);
}

SL_KERNEL void look_kernel(int source, int index, const uint64_t *sum)
{
    const struct look *const look = sl_deq(source, index);
    *look->sum = __atomic_load_n(sum, __ATOMIC_RELAXED);
    sl_tfree(source, index);
}
