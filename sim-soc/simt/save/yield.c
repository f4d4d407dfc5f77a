/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wavefront yield (core paper, section 6 and Figure 13): a wavefront gives up its context for a
 * resource that it waits for, and gets one again when firmware says so.
 *
 * When the wavefront's memory instructions are done and its results are there, its state goes to
 * the save area at the front of its block of the wavefront state pool: a header of four cache lines
 * (identifiers, masks, fcsr), the entries of the reconvergence stack that are in hardware, and the
 * registers that its kernel uses, of all lanes. Each line takes a slot of the compute unit's port
 * to memory and its time in the memory system; when the last one is there the restart context is
 * written and the wavefront context is free. Restoring costs the same in the other direction, and
 * the wavefront issues nothing until the last line has come.
 *
 * LDS is not saved (section 6): it stays allocated to the wavefront's work-group, and the wavefront
 * is restarted on the same compute unit. At a barrier, one that has yielded has not arrived.
 *
 * With gpu.yield_saves = live, registers that no lane reads any more are left out: what the table
 * of the program says for the program counters of all entries of the reconvergence stack. Looking
 * there costs a line of memory for each, and saving waits for them. What was not saved comes back
 * as a value that is no valid address, so that an error of the table shows. */
#include <string.h>

#include "simt/internal.h"

#define HEADER_BYTES offsetof(struct sl_wave_state, stack)

_Static_assert(HEADER_BYTES % SL_CACHE_LINE_BYTES == 0, "whole lines");

/* A save or a restore: lines go one after the other. */
struct transfer {
    struct gpu *gpu;
    struct cu *cu;
    enum mem_kind kind;
    uint64_t cycle; /* begins */
    uint64_t done_cycle;
    uint32_t lines;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Moves the line that an address is in; returns where its bytes are. */
static uint8_t *transfer_line(struct transfer *transfer, uint64_t address)
{
    struct gpu *gpu = transfer->gpu;
    uint64_t rate = gpu->shape.lines_per_cycle;
    uint64_t slot = later(transfer->cycle * rate, transfer->cu->port_slot);

    transfer->cu->port_slot = slot + 1;
    struct mem_request request = {
        .time_ps = slot / rate * gpu->shape.cycle_ps,
        .address = address & ~(uint64_t)(SL_CACHE_LINE_BYTES - 1),
        .requester = transfer->cu->number,
        .kind = transfer->kind,
        .scope = SL_SCOPE_WAVEFRONT,
    };
    struct mem_response response = gpu->mem->ops->access(gpu->mem, &request);

    transfer->done_cycle = later(transfer->done_cycle, gpu_cycle_at(gpu, response.done_ps));
    transfer->lines++;
    return response.bytes + address % SL_CACHE_LINE_BYTES;
}

static void transfer_bytes(struct transfer *transfer, uint64_t address, void *bytes, size_t count)
{
    for (size_t at = 0; at < count; at += SL_CACHE_LINE_BYTES) {
        size_t part = count - at < SL_CACHE_LINE_BYTES ? count - at : SL_CACHE_LINE_BYTES;
        uint8_t *memory = transfer_line(transfer, address + at);
        if (transfer->kind == MEM_STORE) {
            memcpy(memory, (const char *)bytes + at, part);
        } else {
            memcpy((char *)bytes + at, memory, part);
        }
    }
}

static uint64_t block_address(const struct gpu *gpu, const struct wave *wave)
{
    return wave->private_base - gpu->layout.save_area_bytes;
}

static uint32_t block_number(const struct gpu *gpu, const struct wave *wave)
{
    return (uint32_t)((wave->private_base - gpu->layout.pool_base) / gpu->layout.pool_block_bytes);
}

/* Where the lines of the stack go that do not fit in front of the registers. */
static uint64_t deep_line(const struct gpu *gpu, const struct wave *wave, uint32_t entry)
{
    return wave->private_base - gpu->layout.stack_spill_bytes +
           (uint64_t)entry * SL_STACK_ENTRY_BYTES;
}

/* Entries of the reconvergence stack that are saved behind the header: those in hardware, as far as
 * they fit there. */
static uint32_t stored_entries(const struct simt_stack *stack)
{
    uint32_t held = stack->depth > stack->spilled ? stack->depth - stack->spilled : 0;
    return held < SL_DUMP_STACK_ENTRIES ? held : SL_DUMP_STACK_ENTRIES;
}

/* The header and so many entries, in whole lines. */
static size_t front_bytes(uint32_t stored)
{
    size_t bytes = HEADER_BYTES + stored * sizeof(struct sl_stack_entry);
    return (bytes + SL_CACHE_LINE_BYTES - 1) & ~(size_t)(SL_CACHE_LINE_BYTES - 1);
}

/* Registers that were not saved have it in all bytes. */
#define LOST_BYTE 0xa5

/* The registers that the kernel uses; its description may have changed meanwhile, but what the
 * kernel was dispatched with is the launch's. */
static uint64_t register_mask(const struct wave *wave)
{
    return wave->launch.register_mask != 0 ? wave->launch.register_mask & ~1ull : ~1ull;
}

/* Looks up what is live at each entry of the reconvergence stack; entries that have been spilled
 * are read first. Returns the registers to be saved. */
static uint64_t find_live(struct transfer *transfer, const struct wave *wave)
{
    const struct simt_stack *stack = &wave->stack;
    const struct simt_program *program = &transfer->gpu->program;
    struct transfer lookup = *transfer;
    uint64_t live = 0;

    lookup.kind = MEM_LOAD;
    for (uint32_t i = 0; i < stack->spilled; i += STACK_LINE_ENTRIES) {
        (void)transfer_line(&lookup, deep_line(transfer->gpu, wave, i));
    }
    lookup.cycle = later(lookup.cycle, lookup.done_cycle);
    for (uint32_t i = 0; i < stack->depth; i++) {
        uint32_t pc = stack->entries[i].pc;
        live |= simt_program_live(program, pc);
        if (program->live_table != 0 && pc < program->bytes) {
            (void)transfer_line(&lookup, program->live_table + pc / 2 * sizeof(live));
        }
    }
    transfer->cycle = later(transfer->cycle, lookup.done_cycle);
    return live & register_mask(wave);
}

static void transfer_registers(struct transfer *transfer, struct wave *wave, uint64_t mask)
{
    size_t bytes = transfer->gpu->shape.lanes * sizeof(uint64_t);
    uint64_t base = block_address(transfer->gpu, wave) + sizeof(struct sl_wave_state);

    for (uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned r = lowest_lane(rest);
        transfer_bytes(transfer, base + r * bytes, wave->x[r], bytes);
    }
}

/* Header and stack in the form that the wavefront inspector reads, too. */
static void fill_state(const struct gpu *gpu, const struct wave *wave, struct sl_wave_state *state)
{
    const struct simt_stack *stack = &wave->stack;

    *state = (struct sl_wave_state){
        .wavefront = wave->number,
        .kernel = wave->launch.kernel,
        .code = gpu->program.base,
        .time_ps = gpu->wheel.now * gpu->shape.cycle_ps,
        .cu = wave->simd->cu->number,
        .context = wave->context,
        .channel = wave->launch.channel,
        .dispatch = wave->launch.dispatch,
        .lanes = gpu->shape.lanes,
        .stack_depth = stack->depth,
        .stack_stored = stored_entries(stack),
    };
    for (uint32_t i = 0; i < state->stack_stored; i++) {
        const struct stack_entry *entry = &stack->entries[stack->depth - 1 - i];
        state->stack[i] = (struct sl_stack_entry){
            .mask = entry->mask, .pc = entry->pc, .reconvergence = entry->reconvergence};
        state->calls[i / 64] |= (uint64_t)entry->is_call << (i % 64);
    }
    if (wave->launch.group != NULL) {
        dump_group(wave, state);
    }
    memcpy(state->fcsr, &wave->fcsr, sizeof(wave->fcsr));
}

static void save(struct transfer *transfer, struct wave *wave)
{
    const struct simt_stack *stack = &wave->stack;
    uint64_t block = block_address(transfer->gpu, wave);
    struct sl_wave_state state;
    uint64_t saved = register_mask(wave);

    if (transfer->gpu->shape.saves_live) {
        saved = find_live(transfer, wave);
    }
    _Static_assert(sizeof(wave->fcsr) == sizeof(state.fcsr), "fcsr");
    fill_state(transfer->gpu, wave, &state);
    state.saved = saved;
    transfer_bytes(transfer, block, &state, front_bytes(state.stack_stored));
    for (uint32_t i = stack->spilled; i + state.stack_stored < stack->depth;
         i += STACK_LINE_ENTRIES) {
        (void)transfer_line(transfer, deep_line(transfer->gpu, wave, i));
    }
    transfer_registers(transfer, wave, saved);
}

static void keep(struct gpu *gpu, const struct wave *wave)
{
    uint32_t block = block_number(gpu, wave);
    struct gpu_yielded *yielded = &gpu->yielded[block];

    *yielded = (struct gpu_yielded){
        .launch = wave->launch,
        .number = wave->number,
        .cu = wave->simd->cu->number,
        .stack_depth = wave->stack.depth,
        .stack_spilled = wave->stack.spilled,
        .is_used = true,
    };
    memcpy(&gpu->yielded_stacks[(size_t)block * gpu->shape.stack_capacity], wave->stack.entries,
           wave->stack.depth * sizeof(struct stack_entry));
}

/* When the results of all instructions so far are there. */
static uint64_t results_cycle(const struct wave *wave, uint64_t cycle)
{
    for (unsigned r = 0; r < SCOREBOARD_REGISTERS; r++) {
        cycle = later(cycle, wave->ready_cycle[r]);
    }
    return cycle;
}

void yield_execute(struct gpu *gpu, struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    unsigned lane = lowest_lane(wave_mask(wave));
    uint64_t issued = cycle + gpu->shape.timing.of[SL_CLASS_YIELD].issue;

    if (gpu->listener.takes_yields != NULL && !gpu->listener.takes_yields(gpu->listener.owner)) {
        wave_fault(gpu, wave, SL_FAULT_YIELD, wave_mask(wave), op, 0);
        return;
    }
    wave->yield_resource = wave->x[op->rs1][lane];
    wave->yield_demand = wave->x[op->rs2][lane];
    control_next(wave, op);
    struct transfer transfer = {
        .gpu = gpu,
        .cu = wave->simd->cu,
        .kind = MEM_STORE,
        .cycle = results_cycle(wave, issued),
    };
    save(&transfer, wave);
    keep(gpu, wave);
    wave->yield_bytes = transfer.lines * SL_CACHE_LINE_BYTES;
    gpu->counters->yields++;
    gpu->counters->yield_bytes += wave->yield_bytes;
    wave_trace(gpu, wave, SL_TRACE_YIELD, wave->yield_resource, wave->yield_demand);
    wave->state = WAVE_YIELDING;
    wave->simd->next_cycle[wave->slot] = WHEEL_NEVER;
    if (wave->simd->last == wave->slot) {
        wave->simd->last = SIMD_NO_SLOT;
    }
    wheel_insert(&gpu->wheel, &wave->end, transfer.done_cycle);
}

void gpu_yield_release(struct gpu *gpu, struct wave *wave)
{
    if (wave->launch.group != NULL) {
        group_wave_yielded(wave);
    }
    wave_release(gpu, wave, gpu->wheel.now);
}

uint32_t gpu_yielded_block(const struct gpu *gpu, uint64_t address)
{
    uint64_t offset = address - gpu->layout.pool_base;
    uint64_t block = offset / gpu->layout.pool_block_bytes;

    if (address < gpu->layout.pool_base || offset % gpu->layout.pool_block_bytes != 0 ||
        block >= gpu->layout.pool_blocks || !gpu->yielded[block].is_used ||
        gpu->yielded[block].is_restarting) {
        return UINT32_MAX;
    }
    return (uint32_t)block;
}

bool gpu_can_restart(const struct gpu *gpu, uint32_t block)
{
    const struct gpu_yielded *yielded = &gpu->yielded[block];
    const struct cu *cu = &gpu->cus[yielded->cu];

    for (uint32_t s = 0; s < gpu->shape.simds; s++) {
        const struct simd *simd = &cu->simds[s];
        if (simd->resident < simd->slots && simd->free_registers >= yielded->launch.registers) {
            return true;
        }
    }
    return false;
}

static void restore(struct transfer *transfer, struct wave *wave)
{
    const struct simt_stack *stack = &wave->stack;
    uint32_t stored = stored_entries(stack);
    struct sl_wave_state state;

    transfer_bytes(transfer, block_address(transfer->gpu, wave), &state, front_bytes(stored));
    memcpy(&wave->fcsr, state.fcsr, sizeof(wave->fcsr));
    for (uint32_t i = stack->spilled; i + stored < stack->depth; i += STACK_LINE_ENTRIES) {
        (void)transfer_line(transfer, deep_line(transfer->gpu, wave, i));
    }
    memset(wave->x, 0, sizeof(wave->x));
    for (uint64_t rest = register_mask(wave) & ~state.saved; rest != 0; rest &= rest - 1) {
        memset(wave->x[lowest_lane(rest)], LOST_BYTE, sizeof(wave->x[0]));
    }
    wave->program = transfer->gpu->program.number;
    wave->has_float = register_mask(wave) >> SL_F_REGISTERS != 0;
    transfer_registers(transfer, wave, state.saved & register_mask(wave));
}

void gpu_restart(struct gpu *gpu, uint32_t block)
{
    struct gpu_yielded *yielded = &gpu->yielded[block];
    struct cu *cu = &gpu->cus[yielded->cu];
    struct wave *wave = occupancy_take(gpu, cu, yielded->launch.registers);
    uint64_t cycle = gpu->wheel.now;

    wave_begin(gpu, wave, &yielded->launch, cycle + 1);
    wave_trace(gpu, wave, SL_TRACE_RESTART, wave_lanes(wave), yielded->launch.kernel);
    wave->number = yielded->number;
    wave->private_base = gpu->layout.pool_base + (uint64_t)block * gpu->layout.pool_block_bytes +
                         gpu->layout.save_area_bytes;
    wave->stack.depth = yielded->stack_depth;
    wave->stack.spilled = yielded->stack_spilled;
    memcpy(wave->stack.entries, &gpu->yielded_stacks[(size_t)block * gpu->shape.stack_capacity],
           yielded->stack_depth * sizeof(struct stack_entry));
    yielded->is_used = false;
    if (wave->launch.group != NULL) {
        group_wave_restarted(wave);
    }
    struct transfer transfer = {.gpu = gpu, .cu = cu, .kind = MEM_LOAD, .cycle = cycle + 1};
    restore(&transfer, wave);
    wave->gate_cycle = later(wave->gate_cycle, transfer.done_cycle);
    if (simt_stack_is_unbalanced(&wave->stack)) {
        spill_balance(gpu, wave, transfer.done_cycle);
    }
    gpu->counters->restarts++;
    simd_stamp(wave);
    simd_schedule(gpu, wave, cycle);
}
