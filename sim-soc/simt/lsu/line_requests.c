/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Requests of memory instructions, a line each, through the compute unit's port. */
#include "simt/lsu/lsu.h"
#include "simt/lsu/lsu_port.h"
#include "simt/ordering/consistency_model.h"

static enum mem_kind kind_of(const struct simt_op *op)
{
    switch (op->class) {
    case SL_CLASS_LOAD:
        return MEM_LOAD;
    case SL_CLASS_STORE:
        return MEM_STORE;
    default:
        return MEM_ATOMIC;
    }
}

void send_note_served(struct mem_instr *memory, uint8_t served)
{
    static const uint8_t levels[1 + HIT_LEVELS] = {
        [0] = SL_STALL_MEMORY,
        [1 + HIT_L1] = SL_STALL_MEMORY_L1,
        [1 + HIT_MERGED] = SL_STALL_MEMORY_L1,
        [1 + HIT_UPGRADE] = SL_STALL_MEMORY_L2,
        [1 + HIT_OTHER_L1] = SL_STALL_MEMORY_OTHER_L1,
        [1 + HIT_L2] = SL_STALL_MEMORY_L2,
        [1 + HIT_DRAM] = SL_STALL_MEMORY_DRAM,
    };

    if (memory->stall < levels[served]) {
        memory->stall = levels[served];
    }
}

struct mem_request send_request(const struct mem_instr *memory, uint32_t lines)
{
    const struct simt_op *op = memory->op;
    const struct cu *cu = wave_cu(memory->wave);
    const uint64_t others = memory->lanes & ~memory->lds_lanes;

    return (struct mem_request){
        .from = {MEM_CU, (uint16_t)cu->number},
        .kind = (uint8_t)kind_of(op),
        .space = memory->private_lanes == others ? MEM_PRIVATE : MEM_SHARED,
        .scope = op->scope,
        .atomic = op->atomic,
        .acquire = op->acquire,
        .release = op->release,
        .needs_global_ack = op->class == SL_CLASS_STORE && cu->order->keeps_stores,
        .lines = (uint16_t)lines,
        .context = (uint16_t)memory->wave->context,
        .pc = cu->env->program.base + (uint64_t)(op - cu->env->program.ops) * 2,
    };
}

uint64_t send_lines(struct mem_instr *memory, uint64_t cycle)
{
    struct cu *cu = wave_cu(memory->wave);
    struct mem_system *mem = cu->mem;
    struct line_set set;
    uint64_t perform_ps = 0;
    uint64_t done_ps = 0;

    coalesce_lines(cu, memory, &set);
    struct mem_request request = send_request(memory, set.count);
    for (uint32_t i = 0; i < set.count; i++) {
        memory->lines |= line_bit(set.line[i]);
        request.time_ps = port_take(cu, cycle);
        request.address = set.line[i] << cu->shape.line_shift;
        const struct mem_answer answer = mem->ops->access(mem, &request);
        send_note_served(memory, request.hit_level);
        perform_ps = later(perform_ps, answer.perform_ps);
        done_ps = later(done_ps, answer.done_ps);
    }
    cu->counters.line_accesses += set.count;
    memory->done_cycle = later(memory->done_cycle, event_queue_cycle_at(cu->event_queue, done_ps));
    return event_queue_cycle_at(cu->event_queue, perform_ps);
}
