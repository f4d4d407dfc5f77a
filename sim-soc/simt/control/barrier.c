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
#include "simt/internal.h"

static uint64_t pc_of(const struct gpu *gpu, struct wave *wave)
{
    return wave->stack.depth == 0 ? 0 : gpu->program.base + simt_stack_top(&wave->stack)->pc;
}

static void mismatched(struct gpu *gpu, struct wave *wave, uint64_t other, uint64_t other_pc)
{
    const struct simt_op *op = simt_program_op(&gpu->program, simt_stack_top(&wave->stack)->pc);

    wave->fault_value[0] = other;
    wave->fault_value[1] = other_pc;
    wave_fault(gpu, wave, SL_FAULT_BARRIER_MISMATCHED, wave_mask(wave), op, 0);
}

/* All wavefronts are at the barrier `op`. */
static void release(struct gpu *gpu, struct workgroup *group, const struct wave *last,
                    const struct simt_op *op, uint64_t cycle)
{
    gpu->counters->barrier_wait_cycles += group->arrived * cycle - group->arrival_cycles;
    group->arrived = 0;
    group->arrival_cycles = 0;
    for (uint32_t i = 0; i < group->waves; i++) {
        struct wave *wave = group->wave[i];
        wave->waits_at_barrier = false;
        wave->gate_cycle = cycle + gpu->shape.barrier_cycles;
        control_next(wave, op);
        if (wave != last) {
            simd_schedule(gpu, wave, cycle);
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

void barrier_execute(struct gpu *gpu, struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    struct workgroup *group = wave->launch.group;
    const uint64_t missing = simt_stack_live(&wave->stack) & ~wave_mask(wave);
    const uint32_t pc = simt_stack_top(&wave->stack)->pc;

    gpu->counters->barriers++;
    if (missing != 0) {
        wave->fault_value[0] = missing;
        wave_fault(gpu, wave, SL_FAULT_BARRIER_DIVERGENT, wave_mask(wave), op, 0);
        return;
    }
    if (group == NULL) {
        control_next(wave, op); /* a group of one wavefront */
        return;
    }
    if (group->has_departed) {
        mismatched(gpu, wave, group->departed_number, group->departed_pc);
        return;
    }
    if (group->arrived > 0 && group->barrier_pc != pc) {
        struct wave *other = waiting(group);
        mismatched(gpu, wave, other->number, pc_of(gpu, other));
        return;
    }
    group->barrier_pc = pc;
    group->arrived++;
    group->arrival_cycles += cycle;
    wave->waits_at_barrier = true;
    wave->gate_cycle = WHEEL_NEVER;
    if (group->arrived == group->waves) {
        release(gpu, group, wave, op, cycle);
    }
}

void barrier_departed(struct gpu *gpu, struct wave *wave)
{
    struct workgroup *group = wave->launch.group;
    struct wave *stranded[GROUP_WAVES_MAX];
    const uint64_t pc = pc_of(gpu, wave);
    uint32_t count = 0;

    wave->waits_at_barrier = false;
    group->has_departed = true;
    group->departed_number = wave->number;
    group->departed_pc = pc;
    group->arrived = 0; /* all of them first: the fault of one is the departure of another */
    for (uint32_t i = 0; i < group->waves; i++) {
        if (group->wave[i] != NULL && group->wave[i]->waits_at_barrier) {
            group->wave[i]->waits_at_barrier = false;
            stranded[count++] = group->wave[i];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        mismatched(gpu, stranded[i], wave->number, pc);
    }
}
