/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Ends and faults of wavefronts. */
#include "simt/lifecycle/lifecycle.h"
#include "simt/lifecycle/sync.h"
#include "simt/ordering/ordering.h"
#include "simt/schedule/ready.h"
#include "simt/schedule/stall.h"
#include "simt/unit/pool.h"

static void drop_reservations(struct wave *wave)
{
    FOR_EACH_LANE(lane, wave->reserved)
    {
        wave->reserved_in[lane]->held--;
    }
    wave->reserved = 0;
}

void wave_release(struct wave *wave, uint64_t cycle)
{
    struct simd *simd = wave->simd;
    struct cu *cu = simd->cu;

    activity_leave(cu->env->activity, cycle);
    const uint64_t occupied = stall_leave(wave, cycle);
    if (probe_enabled(cu->env->stream, OBS_LEAVE)) {
        const struct obs_event event = {
            .time_ps = event_queue_now_ps(cu->event_queue),
            .kind = OBS_LEAVE,
            .wave = wave_observed(wave),
            .leave = {wave->instructions, wave->lane_instructions, occupied},
        };
        probe_emit(cu->env->stream, &event);
    }
    drop_reservations(wave);
    wave->state = WAVE_FREE;
    simd->resident--;
    cu->resident--;
    simd->free_registers += wave->launch.registers;
    if (wave->launch.lds_bytes != 0) {
        lds_release(cu, wave->lds_base, wave->launch.lds_bytes);
    }
}

static void release_context(struct wave *wave, uint64_t cycle)
{
    const struct cu_listener *listener = &wave_cu(wave)->env->listener;

    wave_release(wave, cycle);
    pool_give(wave_cu(wave)->env->pool, wave->block);
    if (wave->launch.group != NULL) {
        group_wave_ended(wave);
    }
    listener->wave_ended(listener->owner, wave);
}

/* Memory is told of the end: of a wavefront, or of the last one of its packet here. */
static void let_go(struct wave *wave, uint64_t cycle)
{
    const bool is_last = --wave_packet(wave)->waves == 0;
    const struct sync_kind kind = {is_last ? MEM_SYNC_PACKET : MEM_SYNC_END, SL_SCOPE_DEVICE,
                                   .release = is_last, .ends = true};

    wave->state = WAVE_RELEASING;
    if (sync_is_over(wave, &kind, cycle, release_context)) {
        release_context(wave, cycle);
    }
}

void wave_end_event(struct event *event)
{
    struct wave *wave = CONTAINER_OF(event, struct wave, end);
    const struct cu_listener *listener = &wave_cu(wave)->env->listener;

    if (wave->state == WAVE_YIELDING) {
        listener->wave_yielded(listener->owner, wave);
    } else {
        let_go(wave, event->cycle);
    }
}

/* Nobody waits any more for what its lanes have in queues of locks. */
static void cancel_locks(struct wave *wave)
{
    struct mem_system *mem = wave_cu(wave)->mem;

    FOR_EACH_LANE(lane, wave->locks.queued)
    {
        mem->ops->cancel(mem, &wave->locks.lane[lane].request);
    }
    wave->locks.queued = 0;
    if (wave->locks.waits_in_queue) {
        wave->locks.waits_in_queue = false;
        wave->pending_holds--;
    }
}

void wave_end(struct wave *wave, uint64_t cycle)
{
    struct cu *cu = wave_cu(wave);
    struct wave *stranded[GROUP_WAVES_MAX];
    uint32_t count = 0;

    stall_stop(wave, cycle);
    ready_stop(wave);
    wave->state = WAVE_DRAINING;
    cancel_locks(wave);
    wave->end_cycle = cycle + cu->shape.timing.of[SL_CLASS_JUMP].issue;
    ready_wake(wave);
    if (wave->launch.group != NULL) {
        count = group_depart(wave, stranded);
    }
    for (uint32_t i = 0; i < count; i++) { /* all have left: each one's fault is a departure, too */
        wave_fault_mismatched(stranded[i], wave->number, wave->launch.group->departed_pc);
    }
}

/* What a fault's record says of the instruction. */
static void describe_instruction(struct sl_fault *fault, const struct wave *wave,
                                 const struct simt_op *op, unsigned lane)
{
    fault->instruction = op->word;
    if (fault->code == SL_FAULT_ACCESS || fault->code == SL_FAULT_MISALIGNED ||
        fault->code == SL_FAULT_STACK || fault->code == SL_FAULT_PROTECTED) {
        fault->access_bytes = op->access_bytes;
        fault->is_store = op->writes;
    }
    if (fault->code == SL_FAULT_TRAP) {
        fault->trap = op->variant;
        fault->value0 = wave->x[op->rs1][lane];
        fault->value1 = wave->x[op->rs2][lane];
    }
}

/* What it says of an access outside what the wavefront may touch. */
static void describe_access(struct sl_fault *fault, const struct wave *wave,
                            const struct simt_op *op)
{
    const struct cu *cu = wave_cu(wave);

    if (fault->address - SL_LDS_BASE < SL_LDS_APERTURE) {
        fault->value0 = wave->lds_bytes;
    }
    if (op->writes && cu_is_code(cu, fault->address, op->access_bytes)) {
        fault->value0 = cu->env->program.base;
        fault->value1 = cu->env->program.base + cu->env->program.bytes;
    }
}

/* And of one to memory that is closed: the range or the gap that its first such byte is in. */
static void describe_protected(struct sl_fault *fault, const struct wave *wave,
                               const struct simt_op *op)
{
    const struct protection *protection = &wave_cu(wave)->env->protection;
    const struct extent around =
        protection_around(protection, protection_closed(protection, (enum simt_needs)op->needs,
                                                        fault->address, op->access_bytes));

    fault->value0 = around.base;
    fault->value1 = around.base + around.bytes;
}

struct sl_fault wave_fault_record(struct wave *wave, enum sl_fault_code code, uint64_t lanes,
                                  uint64_t address)
{
    const struct cu *cu = wave_cu(wave);
    const unsigned lane = lanes ? lowest_lane(lanes) : 0;

    return (struct sl_fault){
        .code = code,
        .cu = cu->number,
        .channel = wave->launch.channel,
        .dispatch = wave->launch.dispatch,
        .kernel = wave->launch.kernel,
        .pc = cu->env->program.base + simt_stack_top(&wave->stack)->pc,
        .lanes = lanes,
        .address = address,
        .return_pc = wave->x[1][lane],
        .time_ps = cu->event_queue->now * cu->shape.cycle_ps,
        .wavefront = wave->number,
    };
}

void wave_fault_with(struct wave *wave, const struct sl_fault *fault)
{
    struct cu *cu = wave_cu(wave);

    cu->env->listener.faulted(cu->env->listener.owner, wave, fault);
    wave_end(wave, cu->event_queue->now); /* after its record: others may fault by it */
}

void wave_fault(struct wave *wave, enum sl_fault_code code, uint64_t lanes,
                const struct simt_op *op, uint64_t address)
{
    struct sl_fault fault = wave_fault_record(wave, code, lanes, address);

    if (op != NULL) {
        describe_instruction(&fault, wave, op, lanes ? lowest_lane(lanes) : 0);
    }
    if (code == SL_FAULT_ACCESS) {
        describe_access(&fault, wave, op);
    }
    if (code == SL_FAULT_PROTECTED) {
        describe_protected(&fault, wave, op);
    }
    if (code == SL_FAULT_BARRIER_DIVERGENT || code == SL_FAULT_BARRIER_MISMATCHED) {
        fault.value0 = wave->fault_value[0];
        fault.value1 = code == SL_FAULT_BARRIER_MISMATCHED ? wave->fault_value[1] : 0;
    }
    if (code >= SL_FAULT_LOCK_OWNER && code <= SL_FAULT_LOCK_NESTED) {
        fault.value0 = wave->fault_value[0];
        fault.value1 = wave->fault_value[1];
    }
    if (code == SL_FAULT_CYCLE_LIMIT) {
        fault.value0 = address;
        fault.address = 0;
    }
    wave_fault_with(wave, &fault);
}

bool wave_fault_lock_held(struct wave *wave, uint64_t lanes, const struct simt_op *op)
{
    const struct wave_locks *locks = &wave->locks;
    const uint64_t holders = lanes & (wave_lock_holders(wave) | locks->queued | locks->granted);

    if (holders == 0) {
        return false;
    }
    const unsigned lane = lowest_lane(holders);
    const uint32_t count = (uint32_t)locks->held[lane] + locks->tried[lane];
    wave->fault_value[0] = count;
    wave->fault_value[1] = 0;
    wave_fault(wave, SL_FAULT_LOCK_HELD, holders, op, count == 1 ? locks->address[lane] : 0);
    return true;
}

void wave_fault_mismatched(struct wave *wave, uint64_t other, uint64_t other_pc)
{
    const struct simt_op *op =
        simt_program_op(&wave_cu(wave)->env->program, simt_stack_top(&wave->stack)->pc);

    wave->fault_value[0] = other;
    wave->fault_value[1] = other_pc;
    wave_fault(wave, SL_FAULT_BARRIER_MISMATCHED, wave_mask(wave), op, 0);
}
