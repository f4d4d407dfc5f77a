/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* When memory instructions take effect. */
#include "simt/ordering/ordering.h"

#include <string.h>

#include "simt/ordering/access_overlap.h"

void order_begin(struct wave *wave)
{
    wave->memory_done_cycle = 0;
    wave->release_done_cycle = 0;
    wave->memory_pending = 0;
    wave->unissued_releases = 0;
    wave->next_memory_slot = 0;
    wave->memory_reads = 0;
    wave->memory_count = 0;
    memset(wave->memory_slot, 0, sizeof(wave->memory_slot));
    wave->memory_perform_cycle = 0;
    wave->order_is_busy = false;
    wave->order.blocked_cycle = 0;
    wave->order.held_cycle = 0;
    wave->order.drain_from = 0;
    wave->order.oldest = NULL;
    wave->order.youngest = NULL;
    wave->order.count = 0;
    wave->order.waiter = NULL;
    memset(wave->memory_order, 0, sizeof(wave->memory_order));
}

/* Whether the instruction has to take effect behind one in a slot, whose effect is later. Lines are
 * compared by their hashed bits: where one of the two writes, two lines that share a bit only cost
 * time; loads, of which many go to many lines, are looked at more closely. */
static bool is_behind(const struct mem_instr *memory, uint32_t slot)
{
    const struct wave *wave = memory->wave;

    if ((wave->memory_order[slot].lines & memory->lines) == 0) {
        return false;
    }
    return memory->op->writes || wave->memory_order[slot].writes ||
           overlap_words(memory, wave->memory_order[slot].memory);
}

uint64_t order_behind(const struct wave *wave, uint64_t line, uint64_t perform_cycle)
{
    for (uint32_t i = 0; perform_cycle < wave->memory_perform_cycle && i < WAVE_MEMORY_OPS; i++) {
        if ((wave->memory_order[i].lines & line) != 0) {
            perform_cycle = later(perform_cycle, wave->memory_order[i].perform_cycle);
        }
    }
    return perform_cycle;
}

/* An earlier instruction may have to wait for another line of its own. */
uint64_t order_perform(const struct mem_instr *memory, uint64_t perform_cycle)
{
    struct wave *wave = memory->wave;

    for (uint32_t i = 0; perform_cycle < wave->memory_perform_cycle && i < WAVE_MEMORY_OPS; i++) {
        if (wave->memory_order[i].perform_cycle > perform_cycle && is_behind(memory, i)) {
            perform_cycle = wave->memory_order[i].perform_cycle;
        }
    }
    wave->memory_perform_cycle = later(wave->memory_perform_cycle, perform_cycle);
    wave->memory_order[memory->slot].perform_cycle = perform_cycle;
    wave->memory_order[memory->slot].lines = memory->lines;
    wave->memory_order[memory->slot].writes = memory->op->writes;
    wave->memory_order[memory->slot].memory = memory;
    return perform_cycle;
}
