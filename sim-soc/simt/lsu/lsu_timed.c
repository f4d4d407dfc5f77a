/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory instructions on coherent memory systems, and those that access LDS alone.
 *
 * The instruction takes effect as a whole when its last line reaches its serialization point, lanes
 * in ascending order; lines of one instruction that get there earlier wait for it, which is what
 * the model leaves out. What the same wavefront does to such a line afterwards waits too. */
#include "simt/lsu/lsu.h"
#include "simt/ordering/ordering.h"

/* The end of an instruction is known: for its result, and for what is behind it. */
static void note_end(const struct mem_instr *memory)
{
    struct wave *wave = memory->wave;
    const struct simt_op *op = memory->op;

    order_end(memory, memory->done_cycle);
    if (op->rd != REGISTER_NOWHERE) {
        wave->ready_cycle[op->rd] = memory->done_cycle;
        wave->stall.result[op->rd] = memory->stall;
    }
    if (memory->blocks) {
        order_block(wave, memory->done_cycle);
    } else if (op->acquire) {
        order_gate(wave, memory->done_cycle, SL_STALL_ORDER);
    }
}

/* A whole instruction takes effect. */
static void perform_event(struct event *event)
{
    struct mem_instr *memory = CONTAINER_OF(event, struct mem_instr, event);
    struct cu *cu = wave_cu(memory->wave);
    struct mem_system *mem = cu->mem;
    const struct lane_access access = {cu, memory, memory->lanes & ~memory->lds_lanes,
                                       mem->backdoor, &mem->reservations};

    perform_lds(cu, memory);
    if (memory->split != 0) {
        misaligned_move(&access, memory->split);
        misaligned_finish(memory);
    } else if (access.lanes != 0) {
        perform(&access);
    }
    if (!memory->is_buffered) {
        mem_instr_give(cu, memory);
    }
}

void lsu_timed_issue(struct mem_instr *memory, uint64_t cycle)
{
    const bool is_buffered = memory->is_buffered;
    struct cu *cu = wave_cu(memory->wave);
    uint64_t perform_cycle = 0;

    memory->done_cycle = 0;
    if (memory->lds_lanes != 0) {
        perform_cycle = lds_send(memory, cycle);
        memory->done_cycle = perform_cycle + cu->shape.lds_cycles;
    }
    if (memory->lds_lanes != memory->lanes) {
        perform_cycle = later(perform_cycle, send_lines(memory, cycle));
    } else {
        memory->stall = SL_STALL_LDS;
    }
    perform_cycle = is_buffered ? order_behind(memory->wave, memory->lines, perform_cycle)
                                : order_perform(memory, perform_cycle);
    memory->done_cycle = later(memory->done_cycle, perform_cycle);
    if (!is_buffered) {
        note_end(memory);
    }
    if (perform_cycle <= cycle) {
        perform_event(&memory->event);
    } else {
        memory->event.run = perform_event;
        event_queue_insert(cu->event_queue, &memory->event, perform_cycle);
    }
    if (is_buffered) {
        /* Behind the event that performs it. */
        write_buffer_known(memory, later(memory->done_cycle, cycle + 1));
    }
}
