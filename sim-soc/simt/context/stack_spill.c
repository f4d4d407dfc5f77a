/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The part of a reconvergence stack that does not fit into hardware, in memory, as papers/004
 * section 7.3 would have it. The stack of section 1.3.2 is sized for lanes that have all diverged;
 * the call entries of section 2.2.3 have no such bound.
 *
 * The hardware holds the top gpu.divergence_depth entries. Older ones are in the wavefront's save
 * area, a cache line of four at a time: the oldest line goes out when an entry is pushed on a full
 * stack, and comes back when the entry on top is in it. A return that takes lanes out of entries in
 * memory, down to its call entry, reads and writes their lines. A fill holds the wavefront back
 * until the line is there; a spill takes a slot of the port to memory, and nobody waits for it.
 *
 * The entries themselves stay in the simulator's array; memory gets a copy, which nothing reads. */
#include <string.h>

#include "simt/context/context.h"
#include "simt/context/context_transfer.h"
#include "simt/ordering/ordering.h"
#include "simt/schedule/ready.h"

/* Memory's copy of a line of entries. */
static void write_line(const struct wave *wave, uint32_t first, uint64_t address)
{
    uint8_t *bytes = dram_at(&wave_cu(wave)->env->dram, address);

    for (uint32_t i = 0; i < STACK_LINE_ENTRIES; i++) {
        const struct stack_entry *entry = &wave->stack.entries[first + i];
        const struct sl_stack_entry packed = state_pack(entry);
        memcpy(bytes + (size_t)i * SL_STACK_ENTRY_BYTES, &packed, sizeof(packed));
    }
}

static void spill_done(struct mem_request *request, uint64_t time_ps)
{
    struct wave *wave = transfer_over(request);

    wave->memory_pending--;
    wave->memory_done_cycle =
        later(wave->memory_done_cycle, event_queue_cycle_at(wave_cu(wave)->event_queue, time_ps));
    ready_wake(wave);
}

static void fill_done(struct mem_request *request, uint64_t time_ps)
{
    struct wave *wave = transfer_over(request);

    wave->pending_holds--;
    order_gate(wave, event_queue_cycle_at(wave_cu(wave)->event_queue, time_ps), SL_STALL_MEMORY);
    ready_wake(wave);
}

static void spill(struct wave *wave, uint32_t first, uint64_t cycle)
{
    static const struct mem_client client = {.complete = spill_done};
    const uint64_t address = state_deep_line(wave, first);
    const uint64_t done = transfer_one(wave, MEM_STORE, address, cycle, &client);

    write_line(wave, first, address);
    if (done == EVENT_QUEUE_NEVER) {
        wave->memory_pending++;
    } else {
        wave->memory_done_cycle = later(wave->memory_done_cycle, done);
    }
    wave_cu(wave)->counters.stack_spills++;
}

static void fill(struct wave *wave, uint32_t first, uint64_t cycle)
{
    static const struct mem_client client = {.complete = fill_done};
    const uint64_t done =
        transfer_one(wave, MEM_LOAD, state_deep_line(wave, first), cycle, &client);

    if (done == EVENT_QUEUE_NEVER) {
        wave->pending_holds++;
    } else {
        order_gate(wave, done, SL_STALL_MEMORY);
    }
    wave_cu(wave)->counters.stack_fills++;
}

void spill_balance(struct wave *wave, uint64_t cycle)
{
    struct simt_stack *stack = &wave->stack;

    while (stack->depth > stack->spilled + stack->hardware) {
        spill(wave, stack->spilled, cycle);
        stack->spilled += STACK_LINE_ENTRIES;
    }
    while (stack->spilled >= stack->depth) {
        stack->spilled -= STACK_LINE_ENTRIES;
        if (stack->spilled < stack->depth) { /* else nothing of the line is left */
            fill(wave, stack->spilled, cycle);
        }
    }
}

void spill_touch(struct wave *wave, uint32_t lowest, uint64_t cycle)
{
    const struct simt_stack *stack = &wave->stack;
    uint32_t first = lowest / STACK_LINE_ENTRIES * STACK_LINE_ENTRIES;
    uint32_t limit = stack->spilled;

    if (limit >= stack->depth) { /* the top entry's line is about to be filled anyway */
        limit = (stack->depth - 1) / STACK_LINE_ENTRIES * STACK_LINE_ENTRIES;
    }
    for (; first < limit; first += STACK_LINE_ENTRIES) {
        fill(wave, first, cycle);
        spill(wave, first, cycle);
    }
}
