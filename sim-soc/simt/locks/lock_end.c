/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How locks and unlocks end: what is known of the lanes' locks, what is counted, what they fault
 * with, and how the wavefront goes on. */
#include "simt/context/context.h"
#include "simt/lifecycle/lifecycle.h"
#include "simt/locks/lock_steps.h"
#include "simt/schedule/ready.h"
#include "simt/schedule/stall.h"

/* ---- the end of an instruction ---- */

bool lock_let_go(struct wave *wave)
{
    stall_end(wave, SL_STALL_LOCK, wave_cu(wave)->event_queue->now);
    wave->pending_holds--;
    if (wave->state != WAVE_RUNNING) {
        ready_wake(wave);
        return false;
    }
    return true;
}

void lock_go_on(struct wave *wave, uint32_t lowest, uint64_t cycle)
{
    struct cu *cu = wave_cu(wave);

    if (wave->stack.depth > cu->counters.stack_depth_max) {
        cu->counters.stack_depth_max = wave->stack.depth;
    }
    if (lowest < wave->stack.spilled) {
        spill_touch(wave, lowest, cycle);
    }
    if (simt_stack_is_unbalanced(&wave->stack)) {
        spill_balance(wave, cycle);
    }
    ready_schedule(wave, cycle);
}

void lock_go_behind(struct wave *wave, uint64_t cycle)
{
    wave_next(wave, wave->locks.op);
    lock_go_on(wave, wave->stack.depth, cycle);
}

void lock_fault_by_word(struct wave *wave, uint64_t lanes, int32_t word)
{
    const struct wave_locks *locks = &wave->locks;
    const unsigned lane = lowest_lane(lanes);

    wave->fault_value[0] = (uint64_t)(int64_t)word;
    wave->fault_value[1] = (uint64_t)lock_lane_id(wave, lane);
    wave_fault(wave, locks->op->acquire ? SL_FAULT_LOCK_AGAIN : SL_FAULT_LOCK_OWNER, lanes,
               locks->op, locks->lane[lane].address);
}

bool lock_fault_by_reply(struct wave *wave)
{
    const struct wave_locks *locks = &wave->locks;

    if (locks->faulty == 0) {
        return false;
    }
    lock_fault_by_word(wave, locks->faulty, locks->lane[lowest_lane(locks->faulty)].found);
    return true;
}

/* ---- which locks lanes hold ---- */

void lock_note(struct wave_locks *locks, uint64_t lanes)
{
    const bool is_taken = locks->op->acquire;
    uint16_t *counts = lock_is_try(locks->op) ? locks->tried : locks->held;
    uint64_t *holders = lock_is_try(locks->op) ? &locks->triers : &locks->holders;

    FOR_EACH_LANE(lane, lanes)
    {
        counts[lane] = (uint16_t)(is_taken ? counts[lane] + 1 : counts[lane] - 1);
        locks->address[lane] ^= locks->lane[lane].address;
        *holders = (*holders & ~(1ull << lane)) | (uint64_t)(counts[lane] != 0) << lane;
    }
}

void lock_count_wait(struct wave *wave, uint64_t cycle)
{
    wave_cu(wave)->counters.lock_wait_cycles += cycle - wave->locks.issue_cycle;
}

void lock_count_round(struct wave *wave, uint64_t cycle)
{
    struct cu_counters *counters = &wave_cu(wave)->counters;
    const struct wave_locks *locks = &wave->locks;
    const uint64_t requests = (uint64_t)__builtin_popcountll(locks->asking);
    const uint64_t acquired = (uint64_t)__builtin_popcountll(locks->winners);

    counters->lock_rounds++;
    counters->lock_requests += requests;
    counters->lock_acquired += acquired;
    counters->lock_failed += requests - acquired;
    lock_count_wait(wave, cycle);
}
