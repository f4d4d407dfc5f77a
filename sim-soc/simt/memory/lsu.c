/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Load/store unit: from the issue of a memory instruction to its requests.
 *
 * On a coherent memory system the instruction takes effect as a whole when its last line reaches
 * its serialization point, lanes in ascending order; lines of one instruction that get there
 * earlier wait for it, which is what the model leaves out. What the same wavefront does to such a
 * line afterwards waits too. On others each line takes effect by itself (deferred.c). */
#include "simt/cu/waits.h"
#include "simt/memory/memory.h"
#include "simt/order/order.h"

/* What a wavefront has waited for its turn to do, if it has, is the next store that releases. */
static void count_turn(struct cu *cu, struct wave *wave, uint64_t cycle)
{
    if (wave->turn_cycle != 0) {
        cu->counters.publish_wait_cycles += cycle - wave->turn_cycle;
        wave->turn_cycle = 0;
    }
}

/* Lanes that access shared memory; all active ones were counted when the instruction issued. */
static uint64_t shared_lanes(const struct wave *wave, const struct mem_op *memory)
{
    const uint64_t others = memory->private_lanes | memory->lds_lanes;

    if (others == 0) {
        return wave->lane_count;
    }
    return others == memory->lanes ? 0 : (uint64_t)__builtin_popcountll(memory->lanes & ~others);
}

static void count(struct cu *cu, struct wave *wave, const struct mem_op *memory, uint64_t cycle)
{
    switch (memory->op->class) {
    case SL_CLASS_LOAD:
        cu->counters.loads++;
        cu->counters.lane_loads += shared_lanes(wave, memory);
        break;
    case SL_CLASS_STORE:
        cu->counters.stores++;
        cu->counters.lane_stores += shared_lanes(wave, memory);
        waits_end(wave);
        break;
    default:
        cu->counters.atomics++;
        waits_end(wave);
        break;
    }
    if (memory->op->release) {
        count_turn(cu, wave, cycle);
    }
    cu->counters.pattern[memory->pattern]++;
}

/* The end of an instruction is known: for its result, and for what is behind it. */
static inline __attribute__((always_inline)) void note_end(const struct mem_op *memory)
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

/* Sends what is in memory and in LDS; the instruction takes effect as a whole. Inlined into
 * lsu_issue(), where rmo's instructions come from. */
static inline __attribute__((always_inline)) void issue_coherent(struct mem_op *memory,
                                                                 uint64_t cycle)
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
        wheel_insert(cu->wheel, &memory->event, perform_cycle);
    }
    if (is_buffered) {
        /* Behind the event that performs it. */
        ordered_known(memory, later(memory->done_cycle, cycle + 1));
    }
}

/* Whether memory has nothing to say about it, or says it at once. What LDS alone is accessed for
 * can order accesses to memory, too. */
static bool is_known_at_once(const struct cu *cu, const struct mem_op *memory)
{
    const struct simt_op *op = memory->op;

    return cu->mem->origin != NULL ||
           (memory->lds_lanes == memory->lanes && !op->acquire && !op->release);
}

static inline __attribute__((always_inline)) void send(struct mem_op *memory, uint64_t cycle)
{
    if (is_known_at_once(wave_cu(memory->wave), memory)) {
        issue_coherent(memory, cycle);
    } else {
        deferred_issue(memory, cycle);
    }
}

void lsu_send(struct mem_op *memory, uint64_t cycle)
{
    send(memory, cycle);
}

void lsu_issue(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    struct cu *cu = wave_cu(wave);
    struct mem_op *memory = mem_op_take(cu);

    memory->wave = wave;
    memory->op = op;
    memory->lanes = wave_mask(wave);
    memory->lines = 0;
    if (place_lanes(wave, op, memory) != 0) {
        mem_op_give(cu, memory);
        return;
    }
    memory->pattern = coalesce_pattern(cu, memory);
    memory->place = wave->memory_count++;
    memory->is_buffered = false;
    memory->blocks = false;
    memory->stall = SL_STALL_MEMORY;
    count(cu, wave, memory, cycle);
    if (stream_wants(cu->env->stream, OBS_MEMORY)) {
        issue_observe(memory);
    }
    wave_next(wave, op);
    if (cu->order->holds_back) {
        ordered_issue(memory, cycle);
        return;
    }
    memory->slot = order_take(wave, op, cu->shape.memory_ops);
    send(memory, cycle);
}
