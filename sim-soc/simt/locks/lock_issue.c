/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The instructions: sl.lock, sl.unlock, and those that only try.
 *
 * From its issue until all replies are in, and an acquire or a release is over, nothing else of the
 * wavefront issues (papers/004 section 6.2). A lock then changes the reconvergence stack
 * (simt/locks/lock_stack.h) and executes again with the lanes that are left, when their turn comes;
 * after a round that nobody has won the wavefront stands back (section 9.2.1). A try is all rounds
 * at once, and leaves the stack alone. */
#include "simt/locks/locks.h"

#include "simt/lifecycle/lifecycle.h"
#include "simt/locks/lock_steps.h"
#include "simt/loop_monitor/loop_monitor.h"
#include "simt/lsu/lsu.h"
#include "simt/unit/busy_wait.h"

/* ---- sl.lock ---- */

static bool fault_nested(struct wave *wave)
{
    const struct wave_locks *locks = &wave->locks;
    const uint64_t triers = locks->asking & locks->triers;

    if (triers == 0) {
        return false;
    }
    const unsigned lane = lowest_lane(triers);
    wave->fault_value[0] = locks->held[lane] + locks->tried[lane] == 1 ? locks->address[lane] : 0;
    wave->fault_value[1] = locks->tried[lane];
    wave_fault(wave, SL_FAULT_LOCK_NESTED, triers, locks->op, locks->lane[lane].address);
    return true;
}

static void lock(struct wave *wave, uint64_t cycle)
{
    const struct lock_place place = lock_place_of(wave);

    if (fault_nested(wave)) {
        return;
    }
    if (wave_cu(wave)->locks->lock(&wave->stack, &place) != 0) {
        wave_fault(wave, SL_FAULT_DIVERGENCE_DEPTH, wave_mask(wave), wave->locks.op, 0);
    } else if (wave_cu(wave)->mem->queues_locks) {
        lock_queue(wave, cycle);
    } else {
        lock_begin_round(wave, cycle);
    }
}

/* ---- issue ---- */

/* Judges the addresses of the active lanes, as those of stores, and keeps them. A lock is a word of
 * shared memory: neither LDS nor the private aperture has any. Returns 0, or -1 after a fault. */
static int find_locks(struct wave *wave, const struct simt_op *op)
{
    struct cu *cu = wave_cu(wave);
    struct mem_instr *memory = mem_instr_take(cu);

    memory->wave = wave;
    memory->op = op;
    memory->lanes = wave_mask(wave);
    int status = lsu_translate(wave, op, memory);
    const uint64_t elsewhere = memory->lds_lanes | memory->private_lanes;
    if (status == 0 && elsewhere != 0) {
        wave_fault(wave, SL_FAULT_ACCESS, elsewhere, op, wave->x[op->rs1][lowest_lane(elsewhere)]);
        status = -1;
    }
    if (status == 0) {
        FOR_EACH_LANE(lane, memory->lanes)
        {
            wave->locks.lane[lane].address = memory->address[lane];
        }
    }
    mem_instr_give(cu, memory);
    return status;
}

void lock_execute(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;

    if (find_locks(wave, op) != 0) {
        return;
    }
    locks->is_used = true;
    locks->op = op;
    locks->asking = wave_mask(wave);
    wave->memory_count++;
    locks->issue_cycle = cycle;
    if (wave->monitor != NULL) {
        loop_monitor_untracked_load(wave->monitor);
    }
    waits_end(wave);
    if (!op->acquire) {
        lock_give_back(wave, cycle);
    } else if (lock_is_try(op)) {
        lock_try(wave, cycle);
    } else {
        lock(wave, cycle);
    }
}
