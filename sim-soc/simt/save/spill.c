/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The part of a reconvergence stack that does not fit into hardware (the thesis on scalar
 * synchronization, papers/004 section 1.3.2, sizes its stacks for every divergence of one function;
 * call entries have no such bound).
 *
 * The hardware holds the top gpu.divergence_depth entries. Older ones are in the wavefront's save
 * area, a cache line of four at a time: the oldest line goes out when an entry is pushed on a full
 * stack, and comes back when the entry on top is in it. A return that takes lanes out of entries in
 * memory, down to its call entry, reads and writes their lines. A fill holds the wavefront back
 * until the line is there; a spill takes a slot of the port to memory, and nobody waits for it.
 *
 * The entries themselves stay in the simulator's array; memory gets a copy, which nothing reads. */
#include <string.h>

#include "simt/internal.h"

#define IS_CALL 1ull /* program counters are even */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Moves a line between hardware and memory. Returns the cycle in which that is done. */
static uint64_t transfer(struct gpu *gpu, struct wave *wave, uint32_t first, enum mem_kind kind,
                         uint64_t cycle)
{
    struct cu *cu = wave->simd->cu;
    uint64_t slot = later(cycle * gpu->shape.lines_per_cycle, cu->port_slot);

    cu->port_slot = slot + 1;
    struct mem_request request = {
        .time_ps = slot / gpu->shape.lines_per_cycle * gpu->shape.cycle_ps,
        .address = wave->private_base - gpu->layout.stack_spill_bytes +
                   (uint64_t)first * SL_STACK_ENTRY_BYTES,
        .requester = cu->number,
        .kind = kind,
        .scope = SL_SCOPE_WAVEFRONT,
    };
    struct mem_response response = gpu->mem->ops->access(gpu->mem, &request);

    for (uint32_t i = 0; kind == MEM_STORE && i < STACK_LINE_ENTRIES; i++) {
        const struct stack_entry *entry = &wave->stack.entries[first + i];
        uint64_t packed[2] = {entry->mask, (uint64_t)entry->reconvergence << 32 | entry->pc |
                                               (entry->is_call ? IS_CALL : 0)};
        memcpy(response.bytes + (size_t)i * SL_STACK_ENTRY_BYTES, packed, sizeof(packed));
    }
    return (response.done_ps + gpu->shape.cycle_ps - 1) / gpu->shape.cycle_ps;
}

static void spill(struct gpu *gpu, struct wave *wave, uint32_t first, uint64_t cycle)
{
    uint64_t done = transfer(gpu, wave, first, MEM_STORE, cycle);

    wave->memory_done_cycle = later(wave->memory_done_cycle, done);
    gpu->counters->stack_spills++;
}

static void fill(struct gpu *gpu, struct wave *wave, uint32_t first, uint64_t cycle)
{
    uint64_t done = transfer(gpu, wave, first, MEM_LOAD, cycle);

    wave->gate_cycle = later(wave->gate_cycle, done);
    gpu->counters->stack_fills++;
}

void spill_balance(struct gpu *gpu, struct wave *wave, uint64_t cycle)
{
    struct simt_stack *stack = &wave->stack;

    while (stack->depth > stack->spilled + stack->hardware) {
        spill(gpu, wave, stack->spilled, cycle);
        stack->spilled += STACK_LINE_ENTRIES;
    }
    while (stack->spilled >= stack->depth) {
        stack->spilled -= STACK_LINE_ENTRIES;
        if (stack->spilled < stack->depth) { /* else nothing of the line is left */
            fill(gpu, wave, stack->spilled, cycle);
        }
    }
}

void spill_touch(struct gpu *gpu, struct wave *wave, uint32_t lowest, uint64_t cycle)
{
    const struct simt_stack *stack = &wave->stack;
    uint32_t first = lowest / STACK_LINE_ENTRIES * STACK_LINE_ENTRIES;
    uint32_t limit = stack->spilled;

    if (limit >= stack->depth) { /* the top entry's line is about to be filled anyway */
        limit = (stack->depth - 1) / STACK_LINE_ENTRIES * STACK_LINE_ENTRIES;
    }
    for (; first < limit; first += STACK_LINE_ENTRIES) {
        fill(gpu, wave, first, cycle);
        spill(gpu, wave, first, cycle);
    }
}
