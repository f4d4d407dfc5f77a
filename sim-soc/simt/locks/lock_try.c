/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sl.trylock (papers/004 section 9.2.2): all rounds at once, which leave the stack alone. Lanes ask
 * again until they have the lock, or the attempts are used up. */
#include "simt/locks/lock_steps.h"
#include "simt/unit/register_file.h"

/* The result is there: 1 in the lanes that have the lock. */
static void put_result(struct wave *wave, uint64_t cycle)
{
    const struct wave_locks *locks = &wave->locks;

    FOR_EACH_LANE(lane, wave_mask(wave))
    {
        wave->x[locks->op->rd][lane] = locks->taken >> lane & 1;
    }
    if (locks->op->rd != REGISTER_NOWHERE) {
        wave->ready_cycle[locks->op->rd] = cycle;
    }
    wave_observe_result(wave, locks->op, wave_mask(wave), true);
}

static void tried(struct wave *wave, uint64_t cycle)
{
    if (lock_let_go(wave)) {
        put_result(wave, cycle);
        lock_go_behind(wave, cycle);
    }
}

static void try_replied(struct wave *wave, uint64_t cycle);

static void try_again(struct wave *wave, uint64_t cycle)
{
    wave->locks.issue_cycle = cycle;
    lock_send(wave, cycle, try_replied);
}

static void try_replied(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;
    struct cu *cu = wave_cu(wave);

    lock_count_round(wave, cycle);
    lock_note(locks, locks->winners);
    locks->taken |= locks->winners;
    locks->failed_rounds = locks->winners != 0 ? 0 : locks->failed_rounds + 1;
    if (locks->faulty != 0) {
        if (lock_let_go(wave)) {
            (void)lock_fault_by_reply(wave);
        }
        return;
    }
    locks->asking &= ~locks->winners;
    if (wave->state == WAVE_RUNNING && locks->asking != 0 && --locks->attempts != 0) {
        const uint64_t stands_back =
            locks->winners != 0 ? 0 : lock_backoff_cycles(&cu->shape, locks->failed_rounds);
        cu->counters.lock_wait_cycles += stands_back;
        lock_later(wave, cycle + stands_back, try_again);
    } else if (locks->taken != 0) {
        lock_synchronize(wave, false, cycle, tried);
    } else {
        tried(wave, cycle);
    }
}

void lock_try(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;

    locks->taken = 0;
    locks->attempts = wave->x[locks->op->rs2][lowest_lane(locks->asking)];
    if (locks->attempts == 0) {
        put_result(wave, cycle);
        wave_next(wave, locks->op);
        return;
    }
    wave->pending_holds++;
    lock_send(wave, cycle, try_replied);
}
