/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* SIMD units: which wavefront issues when.
 *
 * A SIMD unit issues one wavefront instruction at a time, and is then occupied for what the class
 * of the instruction says (simt/program/latencies.h); by default lanes / simd_lanes cycles. Among
 * wavefronts whose next instruction is ready (simt/schedule/ready.c) and whose execution unit takes
 * another one, a policy chooses (simt/schedule/issue_scheduler.h). */
#include "simt/issue/issue.h"

#include "engine/clock.h"
#include "simt/context/context.h"
#include "simt/lifecycle/lifecycle.h"
#include "simt/locks/lock_stack.h"
#include "simt/schedule/issue_scheduler.h"
#include "simt/schedule/ready.h"
#include "simt/schedule/stall.h"
#include "simt/unit/busy_wait.h"
#include "simt/unit/register_file.h"

/* The slots that can issue, one bit each. One whose execution unit is busy is put off until that
 * takes another instruction. */
static uint64_t ready_slots(const struct cu *cu, struct simd *simd, uint64_t cycle)
{
    uint64_t ready = cu->lanes->due(simd->next_cycle, simd->slots, cycle);

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

/* `op` is NULL outside the code. */
static void observe(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    const struct cu *cu = wave_cu(wave);

    if (stall_is_wanted(wave)) {
        stall_issue(wave, op, cycle);
    }
    if (op == NULL) {
        return;
    }
    struct obs_event event; /* as in stall_tell() */
    event.time_ps = cycle * cu->shape.cycle_ps;
    event.kind = OBS_ISSUE;
    event.wave = wave_observed(wave);
    event.issue = (struct obs_issue){wave_pc(wave), wave_mask(wave), op->word,
                                     cu->shape.timing.of[op->class].issue};
    probe_emit(cu->env->stream, &event);
}

/* What memory instructions and locks give is told by those who do. */
static void observe_result(const struct wave *wave, const struct simt_op *op, uint64_t lanes)
{
    const bool is_late = op->access_bytes != 0 || op->class == SL_CLASS_LOCK;

    if (!is_late && wave->state == WAVE_RUNNING) {
        wave_observe_result(wave, op, lanes, false);
    }
}

static void issue(struct cu *cu, struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    if (probe_enabled(cu->env->stream, OBS_ISSUE)) {
        observe(wave, op, cycle);
    }
    if (op == NULL) {
        wave_fault(wave, SL_FAULT_FETCH, wave_mask(wave), NULL, wave_pc(wave));
        return;
    }
    const uint64_t mask = wave_mask(wave);
    const uint32_t lanes = wave_lane_count(wave);
    cu->counters.instructions[lanes]++;
    waits_issue(wave, lanes);
    wave->instructions++;
    wave->lane_instructions += lanes;
    execute(wave, op, cycle);
    if (probe_enabled(cu->env->stream, OBS_RESULT)) {
        observe_result(wave, op, mask);
    }
    if (wave->state == WAVE_RUNNING) {
        if (wave_mask(wave) == 0) {
            lock_stack_settle(&wave->stack); /* an entry whose lanes have given back their locks */
        }
        if (simt_stack_is_unbalanced(&wave->stack)) {
            spill_balance(wave, cycle);
        }
        ready_look_ahead(wave, cycle);
    }
}

/* The unit is occupied by an instruction from this cycle on. */
static void occupy(struct cu *cu, struct simd *simd, const struct simt_op *op, uint64_t cycle)
{
    enum sl_insn_class class = op != NULL ? op->class : SL_CLASS_ILLEGAL;
    const struct simt_cost *cost = &cu->shape.timing.of[class];

    cu->counters.issue_cycles += cost->issue;
    simd->free_cycle = cycle + cost->issue;
    simd->unit_free_cycle[cost->unit] = cycle + cost->interval;
    simd->units_free_cycle = later(simd->units_free_cycle, cycle + cost->interval);
    activity_issue(cu->env->activity, cycle, simd->free_cycle);
}

void issue_event(struct event *event)
{
    struct simd *simd = CONTAINER_OF(event, struct simd, issue);
    struct cu *cu = simd->cu;
    uint64_t cycle = event->cycle;
    uint64_t ready = ready_slots(cu, simd, cycle);
    uint64_t earliest = EVENT_QUEUE_NEVER;

    simd->has_changed = ready == 0;
    if (ready != 0) {
        uint32_t slot = cu->scheduler->choose(simd, ready);
        /* The others first: reading them in one go right behind a write of one would stall. */
        earliest = cu->lanes->earliest(simd->next_cycle, simd->slots, 1ull << slot);
        const struct simt_op *op = simd->next_op[slot];
        simd->turn = slot;
        simd->last = slot;
        occupy(cu, simd, op, cycle);
        issue(cu, simd->waves[slot], op, cycle);
        earliest = simd->next_cycle[slot] < earliest ? simd->next_cycle[slot] : earliest;
    }
    if (simd->has_changed) {
        earliest = cu->lanes->earliest(simd->next_cycle, simd->slots, 0);
    }
    ready_requeue(simd, earliest);
}
