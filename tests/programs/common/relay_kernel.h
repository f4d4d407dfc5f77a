/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of the relay graph (relay.h), for the kernel file of each program that runs it. */
#ifndef SLUICE_PROGRAMS_RELAY_KERNEL_H
#define SLUICE_PROGRAMS_RELAY_KERNEL_H

#include "programs/common/relay_element.h"
#include "wave/sluice_wave.h"

SL_KERNEL void relay_kernel(int source, int index, int destination, struct relay_result *result,
                            int fan_out)
{
    const struct sl_channel *channel = sl_wave_channel(source);
    const uint32_t *control = (const uint32_t *)(uintptr_t)channel->control;
    const struct relay_element *element = sl_deq(source, index);
    if (control[index] >= channel->width) {
        sl_atomic_add_u64(&result->in_slack, 1);
    }
    if (element->rounds > 0) {
        struct relay_element *next = sl_talloc_or_trap(destination, fan_out);
        for (int i = 0; i < fan_out; i++) {
            next[i].rounds = i == 0 ? element->rounds - 1 : 0;
            next[i].value = relay_value(element->rounds, (uint32_t)i);
        }
        sl_enq(destination, next, fan_out);
    } else {
        sl_atomic_add_u64(&result->sum, element->value);
    }
    sl_atomic_add_u64(&result->elements, 1);
    sl_tfree(source, index);
}

#endif
