/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wavefronts: writing registers in the active lanes, ends and faults. */
#include <string.h>

#include "simt/internal.h"

const uint64_t *wave_select(struct gpu *gpu, struct wave *wave)
{
    uint64_t mask = wave_mask(wave);

    if (wave->select_mask != mask) {
        gpu->lanes->expand(wave->select, mask);
        wave->select_mask = mask;
    }
    return wave->select;
}

void wave_set(struct gpu *gpu, struct wave *wave, uint8_t rd, uint64_t value)
{
    gpu->lanes->set(wave->x[rd], value, wave_select(gpu, wave));
}

void wave_set_lanes(struct wave *wave, uint8_t rd, const uint64_t *values)
{
    FOR_EACH_LANE(lane, wave_mask(wave))
    {
        wave->x[rd][lane] = values[lane];
    }
}

void wave_release(struct gpu *gpu, struct wave *wave, uint64_t cycle)
{
    struct simd *simd = wave->simd;

    gpu_account(gpu, cycle);
    wave_trace(gpu, wave, SL_TRACE_END, 0, 0);
    gpu->reservations.held -= (uint64_t)__builtin_popcountll(wave->reserved);
    wave->reserved = 0;
    wave->state = WAVE_FREE;
    simd->resident--;
    simd->cu->resident--;
    simd->free_registers += wave->launch.registers;
    gpu->resident--;
}

static void release_context(struct gpu *gpu, struct wave *wave, uint64_t cycle)
{
    wave_release(gpu, wave, cycle);
    uint64_t block = (wave->private_base - gpu->layout.pool_base) / gpu->layout.pool_block_bytes;
    gpu->free_blocks[gpu->free_block_count++] = (uint32_t)block;
    if (wave->launch.group != NULL) {
        group_wave_ended(wave);
    }
    gpu->listener.wave_ended(gpu->listener.owner, wave);
}

void wave_end_event(struct event *event, void *owner)
{
    struct gpu *gpu = owner;
    struct wave *wave = (struct wave *)((char *)event - offsetof(struct wave, end));

    if (wave->state == WAVE_YIELDING) {
        gpu->listener.wave_yielded(gpu->listener.owner, wave);
    } else {
        release_context(gpu, wave, event->cycle);
    }
}

/* Completion is a release at device scope (DESIGN section 5): the context is held until all memory
 * instructions are done. */
void wave_end(struct gpu *gpu, struct wave *wave, uint64_t cycle)
{
    uint64_t end = cycle + gpu->shape.timing.of[SL_CLASS_JUMP].issue;

    if (wave->memory_done_cycle > end) {
        end = wave->memory_done_cycle;
    }
    wave->state = WAVE_DRAINING;
    wave->simd->next_cycle[wave->slot] = WHEEL_NEVER;
    if (wave->simd->last == wave->slot) {
        wave->simd->last = SIMD_NO_SLOT;
    }
    wheel_insert(&gpu->wheel, &wave->end, end);
    if (wave->launch.group != NULL) {
        barrier_departed(gpu, wave);
    }
}

void wave_fault(struct gpu *gpu, struct wave *wave, enum sl_fault_code code, uint64_t lanes,
                const struct simt_op *op, uint64_t address)
{
    unsigned lane = lanes ? lowest_lane(lanes) : 0;
    uint64_t cycle = gpu->wheel.now;
    struct sl_fault fault = {
        .code = code,
        .cu = wave->simd->cu->number,
        .channel = wave->launch.channel,
        .dispatch = wave->launch.dispatch,
        .kernel = wave->launch.kernel,
        .pc = gpu->program.base + simt_stack_top(&wave->stack)->pc,
        .lanes = lanes,
        .address = address,
        .return_pc = wave->x[1][lane],
        .time_ps = cycle * gpu->shape.cycle_ps,
        .wavefront = wave->number,
    };

    if (op != NULL) {
        fault.instruction = op->word;
        if (code == SL_FAULT_ACCESS || code == SL_FAULT_MISALIGNED || code == SL_FAULT_STACK) {
            fault.access_bytes = op->access_bytes;
            fault.is_store = op->writes;
        }
        if (code == SL_FAULT_TRAP) {
            fault.trap = op->variant;
            fault.value0 = wave->x[op->rs1][lane];
            fault.value1 = wave->x[op->rs2][lane];
        }
    }
    if (code == SL_FAULT_ACCESS && address - SL_LDS_BASE < SL_LDS_APERTURE) {
        fault.value0 = wave->launch.group != NULL ? wave->launch.group->lds_bytes : 0;
    }
    if (code == SL_FAULT_ACCESS && op->writes && lsu_is_code(gpu, address, op->access_bytes)) {
        fault.value0 = gpu->program.base;
        fault.value1 = gpu->program.base + gpu->program.bytes;
    }
    if (code == SL_FAULT_BARRIER_DIVERGENT || code == SL_FAULT_BARRIER_MISMATCHED) {
        fault.value0 = wave->fault_value[0];
        fault.value1 = code == SL_FAULT_BARRIER_MISMATCHED ? wave->fault_value[1] : 0;
    }
    if (code == SL_FAULT_CYCLE_LIMIT) {
        fault.value0 = address;
        fault.address = 0;
    }
    if (gpu->counters->faults == 0) {
        dump_fault(gpu, wave, code);
    }
    gpu->counters->faults++;
    gpu->listener.faulted(gpu->listener.owner, &fault);
    wave_end(gpu, wave, cycle); /* after its record: others may fault by it */
}
