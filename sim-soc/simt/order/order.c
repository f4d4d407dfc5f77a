/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* When memory instructions take effect. */
#include "simt/order/order.h"

#include <string.h>

void order_begin(struct wave *wave)
{
    wave->memory_done_cycle = 0;
    wave->memory_pending = 0;
    wave->memory_unsent = 0;
    wave->next_memory_slot = 0;
    wave->memory_count = 0;
    memset(wave->memory_slot, 0, sizeof(wave->memory_slot));
    wave->memory_perform_cycle = 0;
    memset(wave->memory_order, 0, sizeof(wave->memory_order));
}

/* An earlier instruction may have to wait for another line of its own. Loads may pass each other.
 * Lines are compared by their hashed bits: two that share a bit only cost time. */
uint64_t order_perform(struct wave *wave, uint32_t slot, uint64_t lines, bool writes,
                       uint64_t perform_cycle)
{
    for (uint32_t i = 0; perform_cycle < wave->memory_perform_cycle && i < WAVE_MEMORY_OPS; i++) {
        if (wave->memory_order[i].perform_cycle > perform_cycle &&
            (wave->memory_order[i].lines & lines) != 0 &&
            (writes || wave->memory_order[i].writes)) {
            perform_cycle = wave->memory_order[i].perform_cycle;
        }
    }
    wave->memory_perform_cycle = later(wave->memory_perform_cycle, perform_cycle);
    wave->memory_order[slot].perform_cycle = perform_cycle;
    wave->memory_order[slot].lines = lines;
    wave->memory_order[slot].writes = writes;
    return perform_cycle;
}
