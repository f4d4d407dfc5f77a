/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* lock.stack = thesis: locks as in papers/004 sections 4.1 to 4.4.
 *
 * LR and L have no reconvergence point. LR keeps the lanes that have won, until they unlock: that
 * takes them out of LR and L, and L, when its last lane has left, hands its program counter to the
 * entry below its LR. Lanes that hold several locks are taken out by their unlock counters. An L
 * that has lost its lanes below others' entries is popped when it comes on top.
 *
 * Section 4.4 would take a lane out of entries between the topmost LR and the one at its nesting
 * depth by exclusive or, once at each unlock, which at three levels puts it back: here it leaves
 * each once. */
#include "simt/locks/lock_stack.h"

static int push(struct simt_stack *stack, enum stack_kind kind, uint64_t mask, uint32_t pc)
{
    const uint32_t level = simt_stack_top(stack)->level + 1;

    if (stack->depth == stack->capacity) {
        return -1;
    }
    stack->depth++;
    *simt_stack_top(stack) = (struct stack_entry){
        .mask = mask, .pc = pc, .reconvergence = PC_NONE, .kind = (uint8_t)kind, .level = level};
    return 0;
}

static int lock(struct simt_stack *stack, const struct lock_place *place)
{
    const struct stack_entry *top = simt_stack_top(stack);

    return top->kind == STACK_RETRY ? 0 : push(stack, STACK_RETRY, top->mask, place->pc);
}

static int win(struct simt_stack *stack, const struct lock_place *place, uint64_t winners)
{
    return push(stack, STACK_LOCK, winners, place->behind);
}

static uint32_t lose(struct simt_stack *stack)
{
    return stack->depth;
}

/* Pops the top entry, which has no lanes. An L hands down where its lanes were. */
static void pop_empty(struct simt_stack *stack)
{
    const struct stack_entry *top = simt_stack_top(stack);

    if (top->kind == STACK_LOCK && stack->depth > 2 && top[-1].kind == STACK_RETRY) {
        stack->entries[stack->depth - 3].pc = top->pc;
    }
    stack->depth--;
}

void lock_stack_settle(struct simt_stack *stack)
{
    const struct stack_entry *top = simt_stack_top(stack);

    while (stack->depth > 1 && (top->mask == 0 || top->pc == top->reconvergence)) {
        if (top->mask == 0) {
            pop_empty(stack);
        } else {
            stack->depth--;
        }
        top = simt_stack_top(stack);
    }
}

/* ---- unlock ---- */

/* What an unlock looks for on the stack. */
struct regions {
    uint32_t locks; /* LRs: the lock counter */
    uint32_t retry; /* the topmost of them */
    uint32_t round; /* the topmost L, or the stack's depth */
};

static struct regions find_regions(const struct simt_stack *stack)
{
    struct regions regions = {.retry = stack->depth, .round = stack->depth};

    for (uint32_t at = 0; at < stack->depth; at++) {
        if (stack->entries[at].kind == STACK_RETRY) {
            regions.locks++;
            regions.retry = at;
        } else if (stack->entries[at].kind == STACK_LOCK) {
            regions.round = at;
        }
    }
    return regions;
}

/* The LR with so many others below it. */
static uint32_t find_retry(const struct simt_stack *stack, uint32_t below)
{
    uint32_t at = 0;

    while (stack->entries[at].kind != STACK_RETRY || below-- > 0) {
        at++;
    }
    return at;
}

/* With one LR on the stack (section 4.3): the lanes leave it and its L. */
static void leave(struct simt_stack *stack, const struct regions *regions, uint64_t lanes)
{
    stack->entries[regions->retry].mask ^= lanes;
    if (regions->round < stack->depth) {
        stack->entries[regions->round].mask ^= lanes;
    }
}

/* With more (section 4.4): the first lock that a lane gives back takes it out of the topmost LR,
 * others out of what is below, down to the LR at its depth; the last one out of the topmost L.
 * Returns the lowest entry that it was taken out of. */
static uint32_t leave_nested(struct simt_stack *stack, const struct regions *regions, uint64_t lane,
                             uint16_t *unlocks)
{
    const uint64_t bit = 1ull << lane;

    if (++unlocks[lane] == 1) {
        stack->entries[regions->retry].mask &= ~bit;
        return regions->retry;
    }
    const uint32_t depth = unlocks[lane] < regions->locks ? regions->locks - unlocks[lane] : 0;
    const uint32_t lowest = find_retry(stack, depth);
    for (uint32_t at = lowest; at < regions->retry; at++) {
        stack->entries[at].mask &= ~bit;
    }
    if (depth == 0 && regions->round < stack->depth) {
        stack->entries[regions->round].mask &= ~bit;
    }
    if (depth == 0) {
        unlocks[lane] = 0;
    }
    return lowest;
}

static uint32_t unlock(struct simt_stack *stack, uint32_t behind, uint16_t *unlocks)
{
    const uint64_t lanes = simt_stack_top(stack)->mask;
    const struct regions regions = find_regions(stack);
    uint32_t lowest = regions.retry;

    simt_stack_top(stack)->pc = behind;
    if (regions.locks == 1) {
        leave(stack, &regions, lanes);
    }
    FOR_EACH_LANE(lane, lanes)
    {
        if (regions.locks > 1) {
            const uint32_t at = leave_nested(stack, &regions, lane, unlocks);
            lowest = at < lowest ? at : lowest;
        } else {
            unlocks[lane] = 0;
        }
    }
    lock_stack_settle(stack);
    return lowest;
}

const struct lock_stack_ops lock_stack_thesis = {
    .lock = lock,
    .win = win,
    .lose = lose,
    .unlock = unlock,
};
