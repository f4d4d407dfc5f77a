/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a wavefront waits for, as its reconvergence stack says. */
#include "simt/locks/locks.h"

#include "simt/locks/lock_stack.h"

/* Whether an entry is one that gets its turn while no lane of the top one wins: none stands on it;
 * or it is the top one, where others get none. */
static bool gets_turn(const struct wave *wave, uint32_t at)
{
    const struct simt_stack *stack = &wave->stack;

    if (at + 1 == stack->depth) {
        return true;
    }
    return wave_cu(wave)->locks->takes_turns &&
           stack->entries[at + 1].level <= stack->entries[at].level;
}

uint32_t lock_way_on(const struct wave *wave)
{
    const struct simt_stack *stack = &wave->stack;
    uint32_t at = 0;

    while (at < stack->depth && (!gets_turn(wave, at) || stack->entries[at].kind == STACK_RETRY)) {
        at++;
    }
    return at;
}

bool lock_only_retries(const struct wave *wave)
{
    return lock_way_on(wave) == wave->stack.depth;
}

uint64_t lock_wanted(const struct wave *wave, lane_vector address)
{
    const struct simt_stack *stack = &wave->stack;
    const struct simt_program *program = &wave_cu(wave)->env->program;
    uint64_t lanes = 0;

    for (uint32_t at = 0; at < stack->depth; at++) {
        const struct stack_entry *entry = &stack->entries[at];
        if (entry->kind != STACK_RETRY || !gets_turn(wave, at)) {
            continue;
        }
        const struct simt_op *op = simt_program_op(program, entry->pc);
        FOR_EACH_LANE(lane, entry->mask)
        {
            address[lane] = wave->x[op->rs1][lane];
        }
        lanes |= entry->mask;
    }
    return lanes;
}
