/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Save areas: header, entries of the reconvergence stack, registers; in the form that the wavefront
 * inspector reads, too. */
#include <string.h>

#include "simt/context/context.h"
#include "simt/context/context_transfer.h"
#include "sluice/stack_entry.h"

#define HEADER_BYTES offsetof(struct sl_wave_state, stack)

_Static_assert(HEADER_BYTES % SL_CACHE_LINE_BYTES == 0, "whole lines");

/* Unlock counters in four bits. */
static void describe_locks(const struct wave *wave, struct sl_wave_state *state)
{
    const uint32_t most = (1u << sizeof(state->unlocks) / sizeof(state->unlocks[0])) - 1;

    state->lock_holders = wave->locks.holders;
    state->lock_triers = wave->locks.triers;
    for (uint64_t lane = 0; lane < LANES; lane++) {
        const uint32_t count = wave->locks.unlocks[lane];
        for (uint32_t bits = count < most ? count : most; bits != 0; bits &= bits - 1) {
            state->unlocks[__builtin_ctz(bits)] |= 1ull << lane;
        }
    }
}

static void describe_group(const struct wave *wave, struct sl_wave_state *state)
{
    const struct workgroup *group = wave->launch.group;

    memcpy(state->group, group->id, sizeof(state->group));
    state->group_wave = wave->launch.group_wave;
    state->group_waves = group->waves;
    state->group_arrived = group->arrived;
    state->is_at_barrier = wave->waits_at_barrier;
}

struct sl_stack_entry state_pack(const struct stack_entry *entry)
{
    return (struct sl_stack_entry){
        .mask = entry->mask,
        .place = sl_stack_pack(entry->pc, entry->reconvergence, entry->kind, entry->level),
    };
}

void state_describe(const struct wave *wave, uint32_t stored, struct sl_wave_state *state)
{
    const struct cu *cu = wave_cu(wave);
    const struct simt_stack *stack = &wave->stack;

    *state = (struct sl_wave_state){
        .wavefront = wave->number,
        .kernel = wave->launch.kernel,
        .code = cu->env->program.base,
        .time_ps = cu->event_queue->now * cu->shape.cycle_ps,
        .cu = cu->number,
        .context = wave->context,
        .channel = wave->launch.channel,
        .dispatch = wave->launch.dispatch,
        .lanes = cu->shape.lanes,
        .stack_depth = stack->depth,
        .stack_stored = stored,
    };
    for (uint32_t i = 0; i < stored; i++) {
        state->stack[i] = state_pack(&stack->entries[stack->depth - 1 - i]);
    }
    if (wave->locks.is_used) {
        describe_locks(wave, state);
    }
    if (wave->launch.group != NULL) {
        describe_group(wave, state);
    }
}

uint32_t state_stored(const struct simt_stack *stack)
{
    uint32_t held = stack->depth > stack->spilled ? stack->depth - stack->spilled : 0;
    return held < SL_DUMP_STACK_ENTRIES ? held : SL_DUMP_STACK_ENTRIES;
}

size_t state_front_bytes(uint32_t stored)
{
    size_t bytes = HEADER_BYTES + stored * sizeof(struct sl_stack_entry);
    return (bytes + SL_CACHE_LINE_BYTES - 1) & ~(size_t)(SL_CACHE_LINE_BYTES - 1);
}

uint64_t state_registers(const struct wave *wave)
{
    return wave->launch.register_mask != 0 ? wave->launch.register_mask & ~1ull : ~1ull;
}

uint64_t state_address(const struct wave *wave)
{
    return wave->private_base - wave_cu(wave)->env->layout.save_area_bytes;
}

uint64_t state_deep_line(const struct wave *wave, uint32_t entry)
{
    return wave->private_base - wave_cu(wave)->env->layout.stack_spill_bytes +
           (uint64_t)entry * SL_STACK_ENTRY_BYTES;
}

void state_move_deep(struct wave *wave, uint32_t stored)
{
    const struct simt_stack *stack = &wave->stack;

    for (uint32_t i = stack->spilled; i + stored < stack->depth; i += STACK_LINE_ENTRIES) {
        transfer_lines(wave, state_deep_line(wave, i), SL_CACHE_LINE_BYTES);
    }
}

void state_move_registers(struct wave *wave, uint64_t mask)
{
    size_t bytes = wave_cu(wave)->shape.lanes * sizeof(uint64_t);
    uint64_t base = state_address(wave) + sizeof(struct sl_wave_state);

    FOR_EACH_LANE(r, mask)
    {
        transfer_bytes(wave, base + r * bytes, wave->x[r], bytes);
    }
}
