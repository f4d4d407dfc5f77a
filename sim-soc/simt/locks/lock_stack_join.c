/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* lock.stack = join: a lock is a branch whose ways are rounds (docs/know/locks.md).
 *
 * All lanes that want it, and all rounds of winners, are ways to the lock's reconvergence point,
 * its join, at which no lane holds a lock. Whoever has won goes on to there, whatever it takes and
 * gives back, so that an unlock moves no lanes. A round without winners means that some other lane
 * has to go first, of this wavefront perhaps: among the entries that stand on one parent, at each
 * level from the top's down to the bottom's, the way that has waited longest comes on top, with all
 * that stands on it. So each way gets its turn, also across calls. */
#include "simt/locks/lock_stack.h"

static int lock(struct simt_stack *stack, const struct lock_place *place)
{
    struct stack_entry *top = simt_stack_top(stack);

    if (top->kind == STACK_RETRY) {
        return 0;
    }
    const uint32_t join = place->join == PC_NONE ? top->reconvergence : place->join;
    const uint32_t stays = simt_stack_stays(top, join);
    const struct stack_entry retry = {
        .mask = top->mask,
        .pc = place->pc,
        .reconvergence = join,
        .kind = STACK_RETRY,
        .level = top->level + stays,
    };

    if (stack->depth - 1 + stays == stack->capacity) {
        return -1;
    }
    if (stays) {
        top->pc = join;
        stack->depth++;
    }
    *simt_stack_top(stack) = retry;
    return 0;
}

static int win(struct simt_stack *stack, const struct lock_place *place, uint64_t winners)
{
    struct stack_entry *retry = simt_stack_top(stack);
    const uint64_t losers = retry->mask & ~winners;
    struct stack_entry round = *retry;

    if (losers != 0 && stack->depth == stack->capacity) {
        return -1;
    }
    if (losers != 0) {
        retry->mask = losers;
        stack->depth++;
    }
    round.mask = winners;
    round.pc = place->behind;
    round.kind = STACK_LOCK;
    *simt_stack_top(stack) = round;
    simt_stack_reconverge(stack);
    return 0;
}

/* ---- rotation ---- */

static void reverse(struct stack_entry *first, struct stack_entry *end)
{
    while (first < end) {
        const struct stack_entry entry = *first;
        *first++ = *--end;
        *end = entry;
    }
}

/* Behind the block that begins with an entry. */
static uint32_t block_end(const struct simt_stack *stack, uint32_t at)
{
    const uint32_t level = stack->entries[at].level;

    do {
        at++;
    } while (at < stack->depth && stack->entries[at].level > level);
    return at;
}

/* Entries from `first` up to `second` come behind those up to `end`. */
static void exchange(struct stack_entry *entries, uint32_t first, uint32_t second, uint32_t end)
{
    if (second < end) {
        reverse(&entries[first], &entries[second]);
        reverse(&entries[second], &entries[end]);
        reverse(&entries[first], &entries[end]);
    }
}

/* The lowest block of those that stand on a parent comes on top of them; they are the topmost ones.
 * Returns whether there is another one. */
static bool rotate(struct simt_stack *stack, uint32_t parent)
{
    const uint32_t first = parent + 1;
    const uint32_t second = block_end(stack, first);

    exchange(stack->entries, first, second, stack->depth);
    return second < stack->depth;
}

static uint32_t lose(struct simt_stack *stack)
{
    uint32_t lowest = stack->depth;

    for (uint32_t at = stack->depth - 1; at > 0;) {
        const uint32_t parent = simt_stack_parent(stack, at);
        if (rotate(stack, parent)) {
            lowest = parent + 1;
        }
        at = parent;
    }
    return lowest;
}

static uint32_t raise(struct simt_stack *stack, uint32_t at)
{
    uint32_t lowest = stack->depth;

    while (at > 0) {
        const uint32_t parent = simt_stack_parent(stack, at);
        const uint32_t second = block_end(stack, at);
        const uint32_t end = block_end(stack, parent);
        exchange(stack->entries, at, second, end);
        lowest = second < end ? at : lowest;
        at = parent;
    }
    return lowest;
}

static uint32_t unlock(struct simt_stack *stack, uint32_t behind, uint16_t *unlocks)
{
    (void)unlocks;
    simt_stack_top(stack)->pc = behind;
    simt_stack_reconverge(stack);
    return stack->depth;
}

const struct lock_stack_ops lock_stack_join = {
    .takes_turns = true,
    .lock = lock,
    .win = win,
    .lose = lose,
    .raise = raise,
    .unlock = unlock,
};
