/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Load/store unit: from the issue of a memory instruction to where it is sent. */
#include "simt/lsu/lsu.h"
#include "simt/ordering/ordering.h"
#include "simt/unit/busy_wait.h"

/* What a wavefront has waited for its turn to do, if it has, is the next store that releases. */
static void count_turn(struct cu *cu, struct wave *wave, uint64_t cycle)
{
    if (wave->publish_wait_since != 0) {
        cu->counters.publish_wait_cycles += cycle - wave->publish_wait_since;
        wave->publish_wait_since = 0;
    }
}

/* Lanes that access shared memory; all active ones were counted when the instruction issued. */
static uint64_t shared_lanes(const struct wave *wave, const struct mem_instr *memory)
{
    const uint64_t others = memory->private_lanes | memory->lds_lanes;

    if (others == 0) {
        return wave->lane_count;
    }
    return others == memory->lanes ? 0 : (uint64_t)__builtin_popcountll(memory->lanes & ~others);
}

static void count(struct cu *cu, struct wave *wave, const struct mem_instr *memory, uint64_t cycle)
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

void lsu_issue(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    struct cu *cu = wave_cu(wave);
    struct mem_instr *memory = mem_instr_take(cu);

    memory->wave = wave;
    memory->op = op;
    memory->lanes = wave_mask(wave);
    memory->lines = 0;
    if (lsu_translate(wave, op, memory) != 0) {
        mem_instr_give(cu, memory);
        return;
    }
    memory->pattern = coalesce_pattern(cu, memory);
    memory->program_order = wave->memory_count++;
    memory->is_buffered = false;
    memory->blocks = false;
    memory->stall = SL_STALL_MEMORY;
    count(cu, wave, memory, cycle);
    if (probe_enabled(cu->env->stream, OBS_MEMORY)) {
        issue_observe(memory);
    }
    wave_next(wave, op);
    if (cu->order->holds_back) {
        write_buffer_issue(memory, cycle);
        return;
    }
    memory->slot = order_take(wave, op, cu->shape.memory_ops);
    lsu_send(memory, cycle);
}
