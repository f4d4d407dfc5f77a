/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* SIMD units: which wavefront issues when.
 *
 * A SIMD unit issues one wavefront instruction at a time, and is then occupied for what the class
 * of the instruction says (simt/code/timing.h); by default lanes / simd_lanes cycles. Among
 * wavefronts whose next instruction is ready a policy chooses (simt/schedule/scheduler.h). An
 * instruction is ready when its operands and its destination have no pending result, its code line
 * is fetched, its execution unit takes another one, and, for memory instructions, a slot for it is
 * free; fences and releases wait for all memory instructions before them. */
#include "simt/internal.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The instruction buffer holds one line of code. */
static void fetch(struct gpu *gpu, struct wave *wave, uint32_t pc, uint64_t cycle)
{
    uint32_t line = pc / SL_CACHE_LINE_BYTES;

    if (line == wave->fetched_line) {
        return;
    }
    struct mem_request request = {
        .time_ps = cycle * gpu->shape.cycle_ps,
        .address = gpu->program.base + pc,
        .requester = wave->simd->cu->number,
        .kind = MEM_FETCH,
    };
    uint64_t done = gpu_cycle_at(gpu, gpu->mem->ops->access(gpu->mem, &request).done_ps);

    wave->fetched_line = line;
    wave->gate_cycle = later(wave->gate_cycle, done);
    gpu->counters->fetches++;
}

static bool waits_for_memory(const struct simt_op *op)
{
    return op->class == SL_CLASS_FENCE || op->release;
}

/* Notes the wavefront's next instruction, and when it is ready but for its execution unit. */
static void look_ahead(struct gpu *gpu, struct wave *wave, uint64_t cycle)
{
    struct simd *simd = wave->simd;
    uint32_t pc = simt_stack_top(&wave->stack)->pc;

    if (pc >= gpu->program.bytes) {
        simd->next_op[wave->slot] = NULL; /* issuing it is a fault */
        simd->next_unit[wave->slot] = UNIT_MEMORY;
        simd->next_cycle[wave->slot] = cycle;
        return;
    }
    fetch(gpu, wave, pc, cycle);
    const struct simt_op *op = simt_program_op(&gpu->program, pc);
    if (op->straddles) {
        fetch(gpu, wave, pc + 2, cycle); /* its second half is in the next line */
    }
    uint64_t ready = later(later(wave->gate_cycle, wave->ready_cycle[op->rd]),
                           later(wave->ready_cycle[op->rs1], wave->ready_cycle[op->rs2]));
    ready = later(ready, wave->ready_cycle[op->rs3]);
    if (op->access_bytes != 0) {
        ready = later(ready, wave->memory_slot[wave->next_memory_slot]);
    }
    if (waits_for_memory(op)) {
        ready = later(ready, wave->memory_done_cycle);
    }
    simd->next_op[wave->slot] = op;
    simd->next_unit[wave->slot] = (uint8_t)gpu->shape.timing.of[op->class].unit;
    simd->next_cycle[wave->slot] = ready;
}

/* Queues the unit's event for the earliest cycle at which it can issue; `earliest` is that of its
 * wavefronts. */
static void requeue(struct gpu *gpu, struct simd *simd, uint64_t earliest)
{
    if (earliest != WHEEL_NEVER) {
        earliest = later(earliest, simd->free_cycle);
    }
    if (simd->issue.queued) {
        if (simd->issue.cycle == earliest) {
            return;
        }
        wheel_remove(&gpu->wheel, &simd->issue);
    }
    if (earliest != WHEEL_NEVER) {
        wheel_insert(&gpu->wheel, &simd->issue, earliest);
    }
}

void simd_schedule(struct gpu *gpu, struct wave *wave, uint64_t cycle)
{
    struct simd *simd = wave->simd;

    look_ahead(gpu, wave, cycle);
    simd->has_changed = true;
    requeue(gpu, simd, gpu->lanes->earliest(simd->next_cycle, simd->slots, 0));
}

void simd_stamp(struct wave *wave)
{
    struct simd *simd = wave->simd;

    simd->stamp[wave->slot] = ++simd->stamps;
    if (simd->last == wave->slot) {
        simd->last = SIMD_NO_SLOT;
    }
}

/* The slots that can issue, one bit each. One whose execution unit is busy is put off until that
 * takes another instruction. */
static uint64_t ready_slots(const struct gpu *gpu, struct simd *simd, uint64_t cycle)
{
    uint64_t ready = gpu->lanes->due(simd->next_cycle, simd->slots, cycle);

    if (simd->units_free_cycle <= cycle) {
        return ready;
    }
    for (uint64_t rest = ready; rest != 0; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        uint64_t unit_free = simd->unit_free_cycle[simd->next_unit[slot]];
        if (unit_free > cycle) {
            simd->next_cycle[slot] = unit_free;
            ready &= ~(1ull << slot);
        }
    }
    return ready;
}

static void issue(struct gpu *gpu, struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    if (op == NULL) {
        wave_fault(gpu, wave, SL_FAULT_FETCH, wave_mask(wave), NULL,
                   gpu->program.base + simt_stack_top(&wave->stack)->pc);
        return;
    }
    gpu->counters->wave_instructions++;
    gpu->counters->lane_instructions += wave_lane_count(wave);
    wave_execute(gpu, wave, op, cycle);
    if (wave->state == WAVE_RUNNING) {
        if (simt_stack_is_unbalanced(&wave->stack)) {
            spill_balance(gpu, wave, cycle);
        }
        look_ahead(gpu, wave, cycle);
    }
}

/* The unit is occupied by an instruction from this cycle on. */
static void occupy(struct gpu *gpu, struct simd *simd, const struct simt_op *op, uint64_t cycle)
{
    enum sl_insn_class class = op != NULL ? op->class : SL_CLASS_ILLEGAL;
    const struct simt_cost *cost = &gpu->shape.timing.of[class];

    gpu_account(gpu, cycle);
    simd->free_cycle = cycle + cost->issue;
    simd->unit_free_cycle[cost->unit] = cycle + cost->interval;
    simd->units_free_cycle = later(simd->units_free_cycle, cycle + cost->interval);
    gpu->active_until_cycle = later(gpu->active_until_cycle, simd->free_cycle);
}

void simd_issue_event(struct event *event, void *owner)
{
    struct gpu *gpu = owner;
    struct simd *simd = (struct simd *)((char *)event - offsetof(struct simd, issue));
    uint64_t cycle = event->cycle;
    uint64_t ready = ready_slots(gpu, simd, cycle);
    uint64_t earliest = WHEEL_NEVER;

    simd->has_changed = ready == 0;
    if (ready != 0) {
        uint32_t slot = gpu->shape.scheduler->choose(simd, ready);
        /* The others first: reading them in one go right behind a write of one would stall. */
        earliest = gpu->lanes->earliest(simd->next_cycle, simd->slots, 1ull << slot);
        const struct simt_op *op = simd->next_op[slot];
        simd->turn = slot;
        simd->last = slot;
        occupy(gpu, simd, op, cycle);
        issue(gpu, simd->waves[slot], op, cycle);
        earliest = simd->next_cycle[slot] < earliest ? simd->next_cycle[slot] : earliest;
    }
    if (simd->has_changed) {
        earliest = gpu->lanes->earliest(simd->next_cycle, simd->slots, 0);
    }
    requeue(gpu, simd, earliest);
}
