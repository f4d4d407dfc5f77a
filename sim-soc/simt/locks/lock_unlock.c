/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sl.unlock and sl.tryunlock: a release, and then an exchange of each lane. Who gives back what it
 * has only tried for changes nothing on the stack. */
#include "simt/locks/lock_steps.h"

static void unlock_replied(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;

    wave_cu(wave)->counters.lock_unlocks += (uint64_t)__builtin_popcountll(locks->asking);
    if (!lock_let_go(wave) || lock_fault_by_reply(wave)) {
        return;
    }
    lock_note(locks, locks->asking);
    if (lock_is_try(locks->op)) {
        lock_go_behind(wave, cycle);
        return;
    }
    const uint32_t behind = simt_stack_top(&wave->stack)->pc + locks->op->bytes;
    lock_go_on(wave, wave_cu(wave)->locks->unlock(&wave->stack, behind, locks->unlocks), cycle);
}

static void send_unlock(struct wave *wave, uint64_t cycle)
{
    lock_send(wave, cycle, unlock_replied);
}

void lock_give_back(struct wave *wave, uint64_t cycle)
{
    wave->pending_holds++;
    lock_synchronize(wave, true, cycle, send_unlock);
}
