/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of the relay graph (relay.h), for the kernel file of each program that runs it. */
#ifndef SLUICE_WORKLOADS_COMMON_RELAY_KERNEL_H
#define SLUICE_WORKLOADS_COMMON_RELAY_KERNEL_H

#include "sluice/wave/wave.h"
#include "workloads/common/relay_element.h"

/* One text for all forms of elements; in each kernel its form is a constant. */
static inline __attribute__((always_inline)) void relay(enum sl_form form, int source, int index,
                                                        int destination,
                                                        struct relay_result *result, int fan_out)
{
    const struct sl_channel *channel = sl_wave_channel(source);
    const uint32_t *control = (const uint32_t *)(uintptr_t)channel->control;
    const struct sl_view element = sl_view_deq(form, source, index);
    const uint32_t rounds = SL_FIELD(element, 0, struct relay_element, rounds);
    if (control[index] >= channel->width) {
        sl_atomic_add_u64(&result->in_slack, 1);
    }
    if (rounds > 0) {
        void *const made = sl_talloc_or_trap(destination, fan_out);
        const struct sl_view next = sl_view(form, destination, made);
        for (int i = 0; i < fan_out; i++) {
            SL_FIELD(next, i, struct relay_element, rounds) = i == 0 ? rounds - 1 : 0;
            SL_FIELD(next, i, struct relay_element, value) = relay_value(rounds, (uint32_t)i);
        }
        sl_enq(destination, made, fan_out);
    } else {
        sl_atomic_add_u64(&result->sum, SL_FIELD(element, 0, struct relay_element, value));
    }
    sl_atomic_add_u64(&result->elements, 1);
    sl_tfree(source, index);
}

SL_KERNEL void relay_kernel(int source, int index, int destination, struct relay_result *result,
                            int fan_out)
{
    relay(SL_PACKED, source, index, destination, result, fan_out);
}

SL_KERNEL void relay_kernel_padded(int source, int index, int destination,
                                   struct relay_result *result, int fan_out)
{
    relay(SL_PADDED, source, index, destination, result, fan_out);
}

SL_KERNEL void relay_kernel_soa(int source, int index, int destination, struct relay_result *result,
                                int fan_out)
{
    relay(SL_SOA, source, index, destination, result, fan_out);
}

#endif
