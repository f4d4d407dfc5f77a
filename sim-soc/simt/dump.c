/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The device's side of the wavefront inspector: writes wavefronts to the save areas of their blocks
 * in the wavefront state pool, which nobody else uses while a wavefront holds its context and does
 * not yield: those that do are left out. The host library reads and describes them.
 *
 * The simulated machine takes no notice: no time passes, no register changes, and the memory that
 * is written is none that kernels or firmware read. */
#include <string.h>

#include "simt/internal.h"

static uint64_t block_of(const struct gpu *gpu, const struct wave *wave)
{
    return wave->private_base - gpu->layout.save_area_bytes;
}

static struct sl_wave_state *state_at(const struct gpu *gpu, const struct wave *wave)
{
    return dram_at(&gpu->dram, block_of(gpu, wave));
}

static void write_stack(const struct wave *wave, struct sl_wave_state *state)
{
    const struct simt_stack *stack = &wave->stack;

    state->stack_depth = stack->depth;
    state->stack_stored =
        stack->depth < SL_DUMP_STACK_ENTRIES ? stack->depth : SL_DUMP_STACK_ENTRIES;
    for (uint32_t i = 0; i < state->stack_stored; i++) {
        const struct stack_entry *entry = &stack->entries[stack->depth - 1 - i];
        state->stack[i] = (struct sl_stack_entry){
            .mask = entry->mask, .pc = entry->pc, .reconvergence = entry->reconvergence};
        state->calls[i / 64] |= (uint64_t)entry->is_call << (i % 64);
    }
}

static void write_registers(const struct gpu *gpu, const struct wave *wave,
                            struct sl_wave_state *state)
{
    uint64_t *values = (uint64_t *)(state + 1);

    state->registers = wave->has_float ? 2 * SL_F_REGISTERS : SL_F_REGISTERS;
    for (unsigned r = 0; r < state->registers; r++) {
        memcpy(&values[r * gpu->shape.lanes], wave->x[r], gpu->shape.lanes * sizeof(*values));
    }
}

static uint32_t memory_ops_under_way(const struct gpu *gpu, const struct wave *wave)
{
    uint32_t count = 0;

    for (uint32_t m = 0; m < gpu->shape.memory_ops; m++) {
        count += wave->memory_slot[m] > gpu->wheel.now;
    }
    return count;
}

void dump_group(const struct wave *wave, struct sl_wave_state *state)
{
    const struct workgroup *group = wave->launch.group;

    memcpy(state->group, group->id, sizeof(state->group));
    state->group_wave = wave->launch.group_wave;
    state->group_waves = group->waves;
    state->group_arrived = group->arrived;
    state->is_at_barrier = wave->waits_at_barrier;
}

/* Appends a wavefront to the dump; `last` is the one before it, or NULL. */
static void append(struct gpu *gpu, const struct wave *wave, const struct wave *last,
                   bool with_registers)
{
    struct sl_wave_state *state = state_at(gpu, wave);
    uint64_t ready = wave->simd->next_cycle[wave->slot];

    memset(state, 0, sizeof(*state));
    state->wavefront = wave->number;
    state->kernel = wave->launch.kernel;
    state->code = gpu->program.base;
    state->time_ps = gpu->wheel.now * gpu->shape.cycle_ps;
    state->ready_ps = ready == WHEEL_NEVER ? 0 : ready * gpu->shape.cycle_ps;
    state->cu = wave->simd->cu->number;
    state->context = wave->context;
    state->channel = wave->launch.channel;
    state->dispatch = wave->launch.dispatch;
    state->is_ended = wave->state == WAVE_DRAINING;
    state->memory_ops = memory_ops_under_way(gpu, wave);
    state->lanes = gpu->shape.lanes;
    if (wave->launch.group != NULL) {
        dump_group(wave, state);
    }
    if (!state->is_ended) {
        write_stack(wave, state);
    }
    if (with_registers) {
        write_registers(gpu, wave, state);
    }
    if (last == NULL) {
        gpu->dump.first = block_of(gpu, wave);
    } else {
        state_at(gpu, last)->next = block_of(gpu, wave);
    }
    gpu->dump.wavefronts++;
}

static void begin(struct gpu *gpu)
{
    gpu->dump.first = 0;
    gpu->dump.wavefronts = 0;
}

/* The resident wavefront with the lowest number from `least` on, or NULL. */
static const struct wave *next_wave(const struct gpu *gpu, uint64_t least)
{
    const struct wave *best = NULL;

    for (uint32_t i = 0; i < gpu->shape.cus * gpu->shape.contexts; i++) {
        const struct wave *wave = &gpu->waves[i];
        if ((wave->state == WAVE_RUNNING || wave->state == WAVE_DRAINING) &&
            wave->number >= least && (best == NULL || wave->number < best->number)) {
            best = wave;
        }
    }
    return best;
}

void gpu_dump_all(struct gpu *gpu, bool with_registers)
{
    const struct wave *last = NULL;
    const struct wave *wave;

    begin(gpu);
    while ((wave = next_wave(gpu, last == NULL ? 0 : last->number + 1)) != NULL) {
        append(gpu, wave, last, with_registers);
        last = wave;
    }
}

void dump_fault(struct gpu *gpu, struct wave *wave, enum sl_fault_code code)
{
    if (gpu->dump.on_fault == SL_DEBUG_DUMP_NONE) {
        return;
    }
    if (gpu->dump.on_fault == SL_DEBUG_DUMP_ALL) {
        gpu_dump_all(gpu, gpu->dump.has_registers);
    } else {
        begin(gpu);
        append(gpu, wave, NULL, gpu->dump.has_registers);
    }
    state_at(gpu, wave)->fault = code;
}
