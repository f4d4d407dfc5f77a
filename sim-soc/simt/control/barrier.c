/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The barrier of a work-group: its wavefronts wait until all have come to the same instruction.
 *
 * A barrier issues when all memory instructions of its wavefront before it are done, which makes
 * its arrival a release and its end an acquire at work-group scope: one compute unit has one memory
 * below its LDS. What could never end is a fault and no hang: a barrier that some live lanes of the
 * wavefront do not execute with the others, and one that another wavefront of the group has ended
 * without, or waits at another place than. Each wavefront concerned faults, with a record that
 * names the other. */
#include "simt/control/control.h"
#include "simt/lifecycle/lifecycle.h"
#include "simt/lifecycle/sync.h"
#include "simt/ordering/ordering.h"
#include "simt/schedule/ready.h"
#include "simt/schedule/stall.h"

/* A wavefront goes on behind the barrier that all have come to. */
static void go_on(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    static const struct sync_kind kind = {MEM_SYNC_BARRIER, SL_SCOPE_WORKGROUP, .acquire = true};

    stall_end(wave, SL_STALL_BARRIER, cycle);
    wave->waits_at_barrier = false;
    order_gate(wave, cycle + wave_cu(wave)->shape.barrier_cycles, SL_STALL_BARRIER);
    wave_next(wave, op);
    wave_synchronize_and_stall(wave, &kind, cycle);
}

/* All wavefronts are at the barrier `op`, the last one now; `is_issuing`: as its instruction. */
static void release(struct workgroup *group, const struct wave *last, bool is_issuing,
                    const struct simt_op *op, uint64_t cycle)
{
    struct cu *cu = wave_cu(last);

    cu->counters.barrier_wait_cycles += group->arrived * cycle - group->arrival_cycles;
    group->arrived = 0;
    group->arrival_cycles = 0;
    for (uint32_t i = 0; i < group->waves; i++) {
        struct wave *wave = group->wave[i];
        go_on(wave, op, cycle);
        if (wave != last || !is_issuing) {
            ready_schedule(wave, cycle);
        }
    }
}

static struct wave *waiting(const struct workgroup *group)
{
    for (uint32_t i = 0; i < group->waves; i++) {
        if (group->wave[i] != NULL && group->wave[i]->waits_at_barrier) {
            return group->wave[i];
        }
    }
    return NULL;
}

/* The wavefront has come to the barrier; what it wrote is there. */
static void arrive(struct wave *wave, bool is_issuing, uint64_t cycle)
{
    struct workgroup *group = wave->launch.group;
    const uint32_t pc = simt_stack_top(&wave->stack)->pc;

    if (group->has_departed) {
        wave_fault_mismatched(wave, group->departed_number, group->departed_pc);
        return;
    }
    if (group->arrived > 0 && group->barrier_pc != pc) {
        struct wave *other = waiting(group);
        wave_fault_mismatched(wave, other->number, wave_pc(other));
        return;
    }
    group->barrier_pc = pc;
    group->arrived++;
    group->arrival_cycles += cycle;
    wave->waits_at_barrier = true;
    if (group->arrived == group->waves) {
        const struct simt_op *op = simt_program_op(&wave_cu(wave)->env->program, pc);
        release(group, wave, is_issuing, op, cycle);
    }
}

static void arrive_later(struct wave *wave, uint64_t cycle)
{
    wave->pending_holds--;
    if (wave->state == WAVE_RUNNING) {
        arrive(wave, false, cycle);
    } else {
        ready_wake(wave); /* it has ended meanwhile */
    }
}

void barrier_execute(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    static const struct sync_kind kind = {MEM_SYNC_BARRIER, SL_SCOPE_WORKGROUP, .release = true};
    const uint64_t missing = simt_stack_live(&wave->stack) & ~wave_mask(wave);

    wave_cu(wave)->counters.barriers++;
    if (missing != 0) {
        wave->fault_value[0] = missing;
        wave_fault(wave, SL_FAULT_BARRIER_DIVERGENT, wave_mask(wave), op, 0);
        return;
    }
    if (wave_fault_lock_held(wave, wave_mask(wave), op)) {
        return;
    }
    if (wave->launch.group == NULL) {
        wave_next(wave, op); /* a group of one wavefront */
        return;
    }
    if (sync_is_over(wave, &kind, cycle, arrive_later)) {
        arrive(wave, true, cycle);
    } else {
        wave->pending_holds++;
    }
}
