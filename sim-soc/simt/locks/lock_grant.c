/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locks that memory queues (papers/004 sections 5.2 and 6.3): no failure is sent, and a wavefront
 * goes on with its first grant; what else is granted waits until its LR is on top. */
#include "simt/locks/lock_steps.h"

/* The lowest LR with lanes that have been granted their lock: it has waited longest. */
static uint32_t find_granted(const struct wave *wave)
{
    const struct simt_stack *stack = &wave->stack;
    uint32_t at = 0;

    while (stack->entries[at].kind != STACK_RETRY ||
           (stack->entries[at].mask & wave->locks.granted) == 0) {
        at++;
    }
    return at;
}

/* Some lanes have been granted their lock, or others have code to execute, which those that are
 * queued may wait for, or none can be granted one before it has asked again. */
static void lock_granted(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;
    const struct cu *cu = wave_cu(wave);

    lock_count_wait(wave, cycle);
    locks->winners = locks->granted & wave_mask(wave);
    if (locks->winners != 0 && locks->faulty == 0) {
        locks->granted &= ~locks->winners;
        lock_note(locks, locks->winners);
        lock_synchronize(wave, false, cycle, lock_won);
        return;
    }
    if (!lock_let_go(wave) || lock_fault_by_reply(wave)) {
        return;
    }
    const uint32_t way = locks->granted != 0 ? find_granted(wave) : lock_way_on(wave);
    if (cu->locks->takes_turns && way < wave->stack.depth) {
        lock_go_on(wave, cu->locks->raise(&wave->stack, way), cycle);
    } else {
        lock_lost(wave, cycle);
    }
}

/* A lane that holds the lock that it wants would queue behind itself. */
static uint64_t find_again(const struct wave_locks *locks)
{
    uint64_t again = 0;

    FOR_EACH_LANE(lane, locks->asking & locks->holders)
    {
        const bool is_own =
            locks->held[lane] == 1 && locks->address[lane] == locks->lane[lane].address;
        again |= (uint64_t)is_own << lane;
    }
    return again;
}

void lock_queue(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;
    const uint64_t again = find_again(locks);

    if (again != 0) {
        lock_fault_by_word(wave, again, lock_lane_id(wave, lowest_lane(again)));
        return;
    }
    locks->asking &= ~(locks->queued | locks->granted);
    wave_cu(wave)->counters.lock_rounds += locks->asking != 0;
    wave->pending_holds++;
    lock_send_to_queues(wave, cycle, lock_granted);
    wave_cu(wave)->env->queues(wave);
}
