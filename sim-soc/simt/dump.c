/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The device's side of the wavefront inspector: writes wavefronts to the save areas of their blocks
 * in the wavefront state pool, which nobody else uses while a wavefront holds its context and does
 * not yield: those that do are left out. The host library reads and describes them.
 *
 * The simulated machine takes no notice: no time passes, no register changes, and the memory that
 * is written is none that kernels or firmware read. */
#include <string.h>

#include "simt/gpu.h"
#include "simt/ordering/consistency_model.h"
#include "simt/unit/mem_instr.h"
#include "sluice/config.h"

static struct sl_wave_state *state_at(const struct gpu *gpu, const struct wave *wave)
{
    return dram_at(&gpu->env.dram, state_address(wave));
}

static void write_registers(const struct wave *wave, struct sl_wave_state *state)
{
    uint64_t *values = (uint64_t *)(state + 1);
    const uint32_t lanes = wave_cu(wave)->shape.lanes;

    state->registers = wave->has_float ? 2 * SL_F_REGISTERS : SL_F_REGISTERS;
    for (unsigned r = 0; r < state->registers; r++) {
        memcpy(&values[r * lanes], wave->x[r], lanes * sizeof(*values));
    }
}

static uint32_t memory_ops_under_way(const struct wave *wave)
{
    const struct cu *cu = wave_cu(wave);
    uint32_t count = 0;

    for (uint32_t m = 0; m < cu->shape.memory_ops; m++) {
        count += wave->memory_slot[m] > cu->event_queue->now;
    }
    return count;
}

/* Entries of the stack that are described, whether in hardware or spilled; none of a wavefront that
 * has ended. */
static uint32_t shown_entries(const struct wave *wave)
{
    if (wave->state != WAVE_RUNNING) {
        return 0;
    }
    return wave->stack.depth < SL_DUMP_STACK_ENTRIES ? wave->stack.depth : SL_DUMP_STACK_ENTRIES;
}

/* What the consistency model holds back, and which store is under way. */
static void describe_order(const struct wave *wave, struct sl_wave_state *state)
{
    const struct simt_program *program = &wave_cu(wave)->env->program;
    const struct mem_instr *store = wave->order.oldest;

    if (wave->state == WAVE_RUNNING) {
        state->order_wait = order_waits_for(wave);
    }
    state->stores = (uint32_t)wave->order.count;
    if (store != NULL) {
        const unsigned lane = lowest_lane(store->lanes);
        const bool is_lds = store->lds_lanes >> lane & 1;
        state->store_address = store->address[lane] - (is_lds ? wave->lds_base : 0);
        state->store_pc = program->base + (uint64_t)(store->op - program->ops) * 2;
    }
}

/* Appends a wavefront to the dump; `last` is the one before it, or NULL. */
static void append(struct gpu *gpu, const struct wave *wave, const struct wave *last,
                   bool with_registers)
{
    struct sl_wave_state *state = state_at(gpu, wave);
    const uint64_t ready = wave->simd->next_cycle[wave->slot];

    state_describe(wave, shown_entries(wave), state);
    state->ready_ps = ready == EVENT_QUEUE_NEVER ? 0 : ready * gpu->event_queue->cycle_ps;
    state->is_ended = wave->state != WAVE_RUNNING;
    state->memory_ops = memory_ops_under_way(wave);
    if (state->is_ended) {
        state->stack_depth = 0;
    }
    describe_order(wave, state);
    if (with_registers) {
        write_registers(wave, state);
    }
    if (last == NULL) {
        gpu->dump.first = state_address(wave);
    } else {
        state_at(gpu, last)->next = state_address(wave);
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

    for (uint32_t c = 0; c < gpu->cu_count; c++) {
        const struct cu *cu = &gpu->cus[c];
        for (uint32_t k = 0; k < cu->shape.contexts; k++) {
            const struct wave *wave = &cu->waves[k];
            if (wave->state != WAVE_FREE && wave->state != WAVE_YIELDING && wave->number >= least &&
                (best == NULL || wave->number < best->number)) {
                best = wave;
            }
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

void gpu_dump_fault(struct gpu *gpu, const struct wave *wave, enum sl_fault_code code)
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
