/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Rounds of sl.lock (papers/004 sections 4.1 and 6.2): when all replies are in, the lanes that have
 * won go on behind the lock, and the others ask again when their turn comes. After a round that
 * nobody has won the wavefront stands back (section 9.2.1). */
#include "simt/lifecycle/lifecycle.h"
#include "simt/locks/lock_steps.h"
#include "simt/ordering/ordering.h"
#include "simt/schedule/ready.h"
#include "sluice/config.h"

uint64_t lock_backoff_cycles(const struct cu_shape *shape, uint64_t rounds)
{
    uint64_t cycles = shape->backoff_cycles;

    switch ((enum sl_lock_backoff)shape->backoff) {
    case SL_LOCK_BACKOFF_NONE:
        return 0;
    case SL_LOCK_BACKOFF_CONSTANT:
        break;
    case SL_LOCK_BACKOFF_LINEAR:
        cycles *= rounds;
        break;
    case SL_LOCK_BACKOFF_EXPONENTIAL:
        cycles = rounds > 32 ? shape->backoff_limit : cycles << (rounds - 1);
        break;
    }
    return cycles < shape->backoff_limit ? cycles : shape->backoff_limit;
}

struct lock_place lock_place_of(struct wave *wave)
{
    const struct simt_op *op = wave->locks.op;
    const uint32_t pc = simt_stack_top(&wave->stack)->pc;

    return (struct lock_place){pc, pc + op->bytes, op->reconvergence};
}

void lock_lost(struct wave *wave, uint64_t cycle)
{
    struct cu *cu = wave_cu(wave);
    const uint64_t stands_back = lock_backoff_cycles(&cu->shape, ++wave->locks.failed_rounds);
    const uint32_t lowest = cu->locks->lose(&wave->stack);

    cu->counters.lock_rotations += lowest < wave->stack.depth;
    cu->counters.lock_wait_cycles += stands_back;
    order_gate(wave, cycle + stands_back, SL_STALL_LOCK);
    ready_stamp(wave);
    lock_go_on(wave, lowest, cycle);
    if (wave->locks.failed_rounds % LOCK_LOST_OFTEN == 0) {
        cu->env->lost_often(wave);
    }
}

void lock_won(struct wave *wave, uint64_t cycle)
{
    const struct lock_place place = lock_place_of(wave);

    if (!lock_let_go(wave)) {
        return;
    }
    wave->locks.failed_rounds = 0;
    if (wave_cu(wave)->locks->win(&wave->stack, &place, wave->locks.winners) != 0) {
        wave_fault(wave, SL_FAULT_DIVERGENCE_DEPTH, wave->locks.winners, wave->locks.op, 0);
        return;
    }
    lock_go_on(wave, wave->stack.depth, cycle);
}

static void round_replied(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;

    lock_count_round(wave, cycle);
    lock_note(locks, locks->winners);
    if (locks->winners != 0 && locks->faulty == 0) {
        lock_synchronize(wave, false, cycle, lock_won);
    } else if (lock_let_go(wave) && !lock_fault_by_reply(wave)) {
        lock_lost(wave, cycle);
    }
}

void lock_begin_round(struct wave *wave, uint64_t cycle)
{
    wave->pending_holds++;
    lock_send(wave, cycle, round_replied);
}
