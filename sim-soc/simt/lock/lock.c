/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The instructions: sl.lock, sl.unlock, and those that only try.
 *
 * From its issue until all replies are in, and an acquire or a release is over, nothing else of the
 * wavefront issues (papers/004 section 6.2). A lock then changes the reconvergence stack
 * (simt/lock/lock_stack.h) and executes again with the lanes that are left, when their turn comes;
 * after a round that nobody has won the wavefront stands back (section 9.2.1). A try is all rounds
 * at once, and leaves the stack alone. */
#include "simt/lock/lock.h"

#include "simt/cu/waits.h"
#include "simt/life/life.h"
#include "simt/lock/lock_stack.h"
#include "simt/memory/memory.h"
#include "simt/order/order.h"
#include "simt/save/save.h"
#include "simt/schedule/ready.h"

static bool is_try(const struct simt_op *op)
{
    return op->id == SL_INSN_SL_TRYLOCK || op->id == SL_INSN_SL_TRYUNLOCK;
}

/* ---- the end of an instruction ---- */

/* Whether the wavefront is there to go on, which other wavefronts of its group may have ended. */
static bool let_go(struct wave *wave)
{
    wave->holds--;
    if (wave->state != WAVE_RUNNING) {
        ready_wake(wave);
        return false;
    }
    return true;
}

/* The stack is as the instruction leaves it, with entries from `lowest` up looked at. */
static void go_on(struct wave *wave, uint32_t lowest, uint64_t cycle)
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

static void go_behind(struct wave *wave, uint64_t cycle)
{
    wave_next(wave, wave->locks.op);
    go_on(wave, wave->stack.depth, cycle);
}

/* Lanes have found what they must not, the lowest one this word. */
static void fault_by_word(struct wave *wave, uint64_t lanes, int32_t word)
{
    const struct wave_locks *locks = &wave->locks;
    const unsigned lane = lowest_lane(lanes);

    wave->fault_value[0] = (uint64_t)(int64_t)word;
    wave->fault_value[1] = (uint64_t)lock_lane_id(wave, lane);
    wave_fault(wave, locks->op->acquire ? SL_FAULT_LOCK_AGAIN : SL_FAULT_LOCK_OWNER, lanes,
               locks->op, locks->lane[lane].address);
}

/* Whether some have. */
static bool fault_by_reply(struct wave *wave)
{
    const struct wave_locks *locks = &wave->locks;

    if (locks->faulty == 0) {
        return false;
    }
    fault_by_word(wave, locks->faulty, locks->lane[lowest_lane(locks->faulty)].found);
    return true;
}

/* ---- which locks lanes hold ---- */

static void note(struct wave_locks *locks, uint64_t lanes)
{
    const bool is_taken = locks->op->acquire;
    uint16_t *counts = is_try(locks->op) ? locks->tried : locks->held;
    uint64_t *holders = is_try(locks->op) ? &locks->triers : &locks->holders;

    FOR_EACH_LANE(lane, lanes)
    {
        counts[lane] = (uint16_t)(is_taken ? counts[lane] + 1 : counts[lane] - 1);
        locks->address[lane] ^= locks->lane[lane].address;
        *holders = (*holders & ~(1ull << lane)) | (uint64_t)(counts[lane] != 0) << lane;
    }
}

static void count_wait(struct wave *wave, uint64_t cycle)
{
    wave_cu(wave)->counters.lock_wait_cycles += cycle - wave->locks.issue_cycle;
}

/* Counts a round of requests whose replies are in. */
static void count_round(struct wave *wave, uint64_t cycle)
{
    struct cu_counters *counters = &wave_cu(wave)->counters;
    const struct wave_locks *locks = &wave->locks;
    const uint64_t requests = (uint64_t)__builtin_popcountll(locks->asking);
    const uint64_t acquired = (uint64_t)__builtin_popcountll(locks->winners);

    counters->lock_rounds++;
    counters->lock_requests += requests;
    counters->lock_acquired += acquired;
    counters->lock_failed += requests - acquired;
    count_wait(wave, cycle);
}

/* ---- sl.lock ---- */

/* After so many rounds in a row that nobody has won. */
static uint64_t backoff_cycles(const struct cu_shape *shape, uint64_t rounds)
{
    uint64_t cycles = shape->backoff_cycles;

    switch (shape->backoff) {
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

static struct lock_place place_of(struct wave *wave)
{
    const struct simt_op *op = wave->locks.op;
    const uint32_t pc = simt_stack_top(&wave->stack)->pc;

    return (struct lock_place){pc, pc + op->bytes, op->reconvergence};
}

static void lock_lost(struct wave *wave, uint64_t cycle)
{
    struct cu *cu = wave_cu(wave);
    const uint64_t stands_back = backoff_cycles(&cu->shape, ++wave->locks.failed_rounds);
    const uint32_t lowest = cu->locks->lose(&wave->stack);

    cu->counters.lock_rotations += lowest < wave->stack.depth;
    cu->counters.lock_wait_cycles += stands_back;
    order_gate(wave, cycle + stands_back);
    ready_stamp(wave);
    go_on(wave, lowest, cycle);
}

static void lock_won(struct wave *wave, uint64_t cycle)
{
    const struct lock_place place = place_of(wave);

    if (!let_go(wave)) {
        return;
    }
    wave->locks.failed_rounds = 0;
    if (wave_cu(wave)->locks->win(&wave->stack, &place, wave->locks.winners) != 0) {
        wave_fault(wave, SL_FAULT_DIVERGENCE_DEPTH, wave->locks.winners, wave->locks.op, 0);
        return;
    }
    go_on(wave, wave->stack.depth, cycle);
}

static void lock_replied(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;

    count_round(wave, cycle);
    note(locks, locks->winners);
    if (locks->winners != 0 && locks->faulty == 0) {
        lock_synchronize(wave, false, cycle, lock_won);
    } else if (let_go(wave) && !fault_by_reply(wave)) {
        lock_lost(wave, cycle);
    }
}

/* ---- with queues ---- */

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

/* Some lanes have been granted their lock, or none can be before it has asked again. */
static void lock_granted(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;
    const struct cu *cu = wave_cu(wave);

    count_wait(wave, cycle);
    locks->winners = locks->granted & wave_mask(wave);
    if (locks->winners != 0 && locks->faulty == 0) {
        locks->granted &= ~locks->winners;
        note(locks, locks->winners);
        lock_synchronize(wave, false, cycle, lock_won);
        return;
    }
    if (!let_go(wave) || fault_by_reply(wave)) {
        return;
    }
    if (locks->granted != 0 && cu->locks->takes_turns) {
        go_on(wave, cu->locks->raise(&wave->stack, find_granted(wave)), cycle);
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

static void lock_in_queue(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;
    const uint64_t again = find_again(locks);

    if (again != 0) {
        fault_by_word(wave, again, lock_lane_id(wave, lowest_lane(again)));
        return;
    }
    locks->asking &= ~(locks->queued | locks->granted);
    wave_cu(wave)->counters.lock_rounds += locks->asking != 0;
    wave->holds++;
    lock_send_to_queues(wave, cycle, lock_granted);
}

/* ---- the issue of sl.lock ---- */

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
    const struct lock_place place = place_of(wave);

    if (fault_nested(wave)) {
        return;
    }
    if (wave_cu(wave)->locks->lock(&wave->stack, &place) != 0) {
        wave_fault(wave, SL_FAULT_DIVERGENCE_DEPTH, wave_mask(wave), wave->locks.op, 0);
    } else if (wave_cu(wave)->mem->queues_locks) {
        lock_in_queue(wave, cycle);
    } else {
        wave->holds++;
        lock_send(wave, cycle, lock_replied);
    }
}

/* ---- sl.trylock ---- */

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
}

static void tried(struct wave *wave, uint64_t cycle)
{
    if (let_go(wave)) {
        put_result(wave, cycle);
        go_behind(wave, cycle);
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

    count_round(wave, cycle);
    note(locks, locks->winners);
    locks->taken |= locks->winners;
    locks->failed_rounds = locks->winners != 0 ? 0 : locks->failed_rounds + 1;
    if (locks->faulty != 0) {
        if (let_go(wave)) {
            (void)fault_by_reply(wave);
        }
        return;
    }
    locks->asking &= ~locks->winners;
    if (wave->state == WAVE_RUNNING && locks->asking != 0 && --locks->attempts != 0) {
        const uint64_t stands_back =
            locks->winners != 0 ? 0 : backoff_cycles(&cu->shape, locks->failed_rounds);
        cu->counters.lock_wait_cycles += stands_back;
        lock_later(wave, cycle + stands_back, try_again);
    } else if (locks->taken != 0) {
        lock_synchronize(wave, false, cycle, tried);
    } else {
        tried(wave, cycle);
    }
}

static void try(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;

    locks->taken = 0;
    locks->attempts = wave->x[locks->op->rs2][lowest_lane(locks->asking)];
    if (locks->attempts == 0) {
        put_result(wave, cycle);
        wave_next(wave, locks->op);
        return;
    }
    wave->holds++;
    lock_send(wave, cycle, try_replied);
}

/* ---- sl.unlock, sl.tryunlock ---- */

static void unlock_replied(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;

    wave_cu(wave)->counters.lock_unlocks += (uint64_t)__builtin_popcountll(locks->asking);
    if (!let_go(wave) || fault_by_reply(wave)) {
        return;
    }
    note(locks, locks->asking);
    if (is_try(locks->op)) {
        go_behind(wave, cycle);
        return;
    }
    const uint32_t behind = simt_stack_top(&wave->stack)->pc + locks->op->bytes;
    go_on(wave, wave_cu(wave)->locks->unlock(&wave->stack, behind, locks->unlocks), cycle);
}

static void send_unlock(struct wave *wave, uint64_t cycle)
{
    lock_send(wave, cycle, unlock_replied);
}

static void unlock(struct wave *wave, uint64_t cycle)
{
    wave->holds++;
    lock_synchronize(wave, true, cycle, send_unlock);
}

/* ---- issue ---- */

/* Judges the addresses of the active lanes, as those of stores, and keeps them. A lock is a word of
 * shared memory: neither LDS nor the private aperture has any. Returns 0, or -1 after a fault. */
static int find_locks(struct wave *wave, const struct simt_op *op)
{
    struct cu *cu = wave_cu(wave);
    struct mem_op *memory = mem_op_take(cu);

    memory->wave = wave;
    memory->op = op;
    memory->lanes = wave_mask(wave);
    int status = place_lanes(wave, op, memory);
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
    mem_op_give(cu, memory);
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
    waits_end(wave);
    if (!op->acquire) {
        unlock(wave, cycle);
    } else if (is_try(op)) {
        try(wave, cycle);
    } else {
        lock(wave, cycle);
    }
}
