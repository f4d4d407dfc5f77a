/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fetching and looking ahead.
 *
 * An instruction is ready when its operands and its destination have no pending result, its code
 * line is fetched, its execution unit takes another one, and order permits it (simt/ordering). */
#include "simt/schedule/ready.h"

#include "engine/clock.h"
#include "simt/ordering/ordering.h"

static void fetch_done(struct mem_request *request, uint64_t time_ps);

static const struct mem_client fetch_client = {.complete = fetch_done};

static void fetch_done(struct mem_request *request, uint64_t time_ps)
{
    struct wave *wave = ((struct wave_fetch *)request)->wave;

    order_gate(wave, event_queue_cycle_at(wave_cu(wave)->event_queue, time_ps), SL_STALL_FETCH);
    wave->pending_holds--;
    ready_wake(wave);
}

/* The instruction buffer holds one line of code. `which`: the instruction's first line, or the one
 * that it reaches into. */
static void fetch(struct wave *wave, unsigned which, uint32_t pc, uint64_t cycle)
{
    struct cu *cu = wave_cu(wave);
    uint32_t line = pc >> cu->shape.line_shift;

    if (line == wave->fetched_line) {
        return;
    }
    struct mem_request *request = &wave->fetch[which].request;
    *request = (struct mem_request){
        .time_ps = cycle * cu->shape.cycle_ps,
        .address = cu->env->program.base + pc,
        .from = {MEM_CU_CODE, (uint16_t)cu->number},
        .kind = MEM_FETCH,
        .client = &fetch_client,
    };
    const uint64_t done_ps = cu->mem->ops->access(cu->mem, request).done_ps;

    wave->fetched_line = line;
    cu->counters.fetches++;
    if (done_ps == MEM_PENDING) {
        wave->pending_holds++;
    } else {
        order_gate(wave, event_queue_cycle_at(cu->event_queue, done_ps), SL_STALL_FETCH);
    }
}

/* What is ready may have to wait for the consistency model. A function of its own, so that
 * find_ready() needs no frame. */
static __attribute__((noinline)) void hold_back(struct wave *wave, const struct simt_op *op)
{
    uint64_t *next = &wave->simd->next_cycle[wave->slot];

    *next = order_model_ready(wave, op, *next);
}

/* Notes when the wavefront's next instruction is ready but for its execution unit. */
static void find_ready(struct wave *wave, const struct simt_op *op)
{
    uint64_t ready = later(later(wave->issue_not_before, wave->ready_cycle[op->rd]),
                           later(wave->ready_cycle[op->rs1], wave->ready_cycle[op->rs2]));

    ready = later(ready, wave->ready_cycle[op->rs3]);
    ready = later(ready, order_ready(wave, op));
    if (wave->pending_holds != 0 || wave->waits_at_barrier) {
        ready = EVENT_QUEUE_NEVER;
    }
    wave->simd->next_cycle[wave->slot] = ready;
    if (wave->order_is_busy) {
        hold_back(wave, op);
    }
}

void ready_look_ahead(struct wave *wave, uint64_t cycle)
{
    struct simd *simd = wave->simd;
    const struct cu *cu = simd->cu;
    const struct simt_program *program = &cu->env->program;
    uint32_t pc = simt_stack_top(&wave->stack)->pc;

    if (pc >= program->bytes) {
        simd->next_op[wave->slot] = NULL; /* issuing it is a fault */
        simd->next_unit[wave->slot] = UNIT_MEMORY;
        simd->next_cycle[wave->slot] = cycle;
        return;
    }
    fetch(wave, 0, pc, cycle);
    const struct simt_op *op = simt_program_op(program, pc);
    if (op->straddles) {
        fetch(wave, 1, pc + 2, cycle); /* its second half is in the next line */
    }
    simd->next_op[wave->slot] = op;
    simd->next_unit[wave->slot] = (uint8_t)cu->shape.timing.of[op->class].unit;
    find_ready(wave, op);
}

void ready_requeue(struct simd *simd, uint64_t earliest)
{
    struct event_queue *event_queue = simd->cu->event_queue;

    if (earliest != EVENT_QUEUE_NEVER) {
        earliest = later(earliest, simd->free_cycle);
    }
    if (simd->issue.queued) {
        if (simd->issue.cycle == earliest) {
            return;
        }
        event_queue_remove(event_queue, &simd->issue);
    }
    if (earliest != EVENT_QUEUE_NEVER) {
        event_queue_insert(event_queue, &simd->issue, earliest);
    }
}

static void changed(struct simd *simd)
{
    simd->has_changed = true;
    ready_requeue(simd, simd->cu->lanes->earliest(simd->next_cycle, simd->slots, 0));
}

void ready_schedule(struct wave *wave, uint64_t cycle)
{
    ready_look_ahead(wave, cycle);
    changed(wave->simd);
}

void ready_wake(struct wave *wave)
{
    struct simd *simd = wave->simd;

    if (wave->state == WAVE_DRAINING) {
        if (wave->memory_pending == 0 && wave->pending_holds == 0 && wave->order.count == 0) {
            event_queue_insert(simd->cu->event_queue, &wave->end,
                               later(wave->end_cycle, wave->memory_done_cycle));
        }
    } else if (wave->state == WAVE_RUNNING && simd->next_op[wave->slot] != NULL) {
        find_ready(wave, simd->next_op[wave->slot]);
        changed(simd);
    }
}

void ready_stop(struct wave *wave)
{
    struct simd *simd = wave->simd;

    simd->next_cycle[wave->slot] = EVENT_QUEUE_NEVER;
    if (simd->last == wave->slot) {
        simd->last = SIMD_NO_SLOT;
    }
}

void ready_stamp(struct wave *wave)
{
    struct simd *simd = wave->simd;

    simd->stamp[wave->slot] = ++simd->stamps;
    if (simd->last == wave->slot) {
        simd->last = SIMD_NO_SLOT;
    }
}
