/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* SIMD units: which wavefront issues when.
 *
 * One wavefront instruction at a time occupies a unit for lanes / simd_lanes cycles. Among
 * wavefronts whose next instruction is ready the choice is round robin (core paper, Table 2). An
 * instruction is ready when its operands and its destination have no pending result, its code line
 * is fetched, and, for memory instructions, a slot for it is free; fences and releases wait for all
 * memory instructions before them. */
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
    uint64_t done_ps = gpu->mem->ops->access(gpu->mem, &request).done_ps;
    uint64_t done = (done_ps + gpu->shape.cycle_ps - 1) / gpu->shape.cycle_ps;

    wave->fetched_line = line;
    wave->gate_cycle = later(wave->gate_cycle, done);
    gpu->counters->fetches++;
}

static bool waits_for_memory(const struct simt_op *op)
{
    return op->class == SL_CLASS_FENCE || op->release;
}

static uint64_t ready_cycle(struct gpu *gpu, struct wave *wave, uint64_t cycle)
{
    uint32_t pc = simt_stack_top(&wave->stack)->pc;

    if (pc >= gpu->program.bytes) {
        return cycle; /* issuing it is a fault */
    }
    fetch(gpu, wave, pc, cycle);
    const struct simt_op *op = simt_program_op(&gpu->program, pc);
    uint64_t ready = later(later(wave->gate_cycle, wave->ready_cycle[op->rd]),
                           later(wave->ready_cycle[op->rs1], wave->ready_cycle[op->rs2]));
    if (op->access_bytes != 0) {
        ready = later(ready, wave->memory_ops[wave->next_memory_op].done_cycle);
    }
    if (waits_for_memory(op)) {
        ready = later(ready, wave->memory_done_cycle);
    }
    return ready;
}

/* Queues the unit's event for the earliest cycle at which it can issue. */
static void requeue(struct gpu *gpu, struct simd *simd)
{
    uint64_t earliest = WHEEL_NEVER;

    for (uint32_t slot = 0; slot < simd->slots; slot++) {
        earliest = simd->next_cycle[slot] < earliest ? simd->next_cycle[slot] : earliest;
    }
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
    wave->simd->next_cycle[wave->slot] = ready_cycle(gpu, wave, cycle);
    requeue(gpu, wave->simd);
}

/* The next ready wavefront behind the one that issued last, or NULL. */
static struct wave *choose(struct simd *simd, uint64_t cycle)
{
    for (uint32_t step = 1; step <= simd->slots; step++) {
        uint32_t slot = simd->last + step;
        slot = slot >= simd->slots ? slot - simd->slots : slot;
        if (simd->next_cycle[slot] <= cycle) {
            simd->last = slot;
            return simd->waves[slot];
        }
    }
    return NULL;
}

static void issue(struct gpu *gpu, struct wave *wave, uint64_t cycle)
{
    uint32_t pc = simt_stack_top(&wave->stack)->pc;

    if (pc >= gpu->program.bytes) {
        wave_fault(gpu, wave, SL_FAULT_FETCH, wave_mask(wave), NULL, gpu->program.base + pc);
        return;
    }
    gpu->counters->wave_instructions++;
    gpu->counters->lane_instructions += wave_lane_count(wave);
    wave_execute(gpu, wave, simt_program_op(&gpu->program, pc), cycle);
    if (wave->state == WAVE_RUNNING) {
        wave->simd->next_cycle[wave->slot] = ready_cycle(gpu, wave, cycle);
    }
}

void simd_issue_event(struct event *event, void *owner)
{
    struct gpu *gpu = owner;
    struct simd *simd = (struct simd *)((char *)event - offsetof(struct simd, issue));
    uint64_t cycle = event->cycle;
    struct wave *wave = choose(simd, cycle);

    if (wave != NULL) {
        gpu_account(gpu, cycle);
        simd->free_cycle = cycle + gpu->shape.occupancy_cycles;
        gpu->active_until_cycle = later(gpu->active_until_cycle, simd->free_cycle);
        issue(gpu, wave, cycle);
    }
    requeue(gpu, simd);
}
