/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The reconvergence stack. Popping at a reconvergence point never empties the stack: the bottom
 * entry is the kernel's call entry, which has none (PC_NONE is no program counter of an executing
 * entry). */
#include "simt/unit/simt_stack.h"

void simt_stack_begin(struct simt_stack *stack, uint32_t pc, uint64_t mask)
{
    stack->entries[0] =
        (struct stack_entry){.mask = mask, .pc = pc, .reconvergence = PC_NONE, .kind = STACK_CALL};
    stack->depth = 1;
    stack->spilled = 0;
}

static void push(struct simt_stack *stack, struct stack_entry entry)
{
    stack->entries[stack->depth++] = entry;
}

int simt_stack_diverge(struct simt_stack *stack, const struct stack_direction *directions,
                       unsigned count, uint32_t reconvergence)
{
    struct stack_entry *top = simt_stack_top(stack);

    if (reconvergence == PC_NONE) {
        /* No post-dominator in the function. The lanes meet where the surrounding entry ends. A
         * call entry stays as the boundary; nothing executes at its PC_NONE, because its lanes
         * leave it by returning. */
        reconvergence = top->reconvergence;
    }
    /* Whoever is below the top waits at the same place already: no need to wait there twice. */
    uint32_t stays = simt_stack_stays(top, reconvergence);
    uint32_t level = top->level + stays;
    uint32_t depth = stack->depth - 1 + stays;
    for (unsigned i = 0; i < count; i++) {
        depth += directions[i].pc != reconvergence;
    }
    if (depth > stack->capacity) {
        return -1;
    }
    if (stays) {
        top->pc = reconvergence;
    } else {
        stack->depth--;
    }
    for (unsigned i = 0; i < count; i++) {
        if (directions[i].pc != reconvergence) {
            push(stack, (struct stack_entry){.mask = directions[i].mask,
                                             .pc = directions[i].pc,
                                             .reconvergence = reconvergence,
                                             .level = level});
        }
    }
    simt_stack_reconverge(stack);
    return 0;
}

int simt_stack_call(struct simt_stack *stack, uint32_t target, uint32_t back)
{
    struct stack_entry *top = simt_stack_top(stack);

    if (stack->depth == stack->capacity) {
        return -1;
    }
    top->pc = back;
    push(stack, (struct stack_entry){.mask = top->mask,
                                     .pc = target,
                                     .reconvergence = PC_NONE,
                                     .kind = STACK_CALL,
                                     .level = top->level + 1});
    return 0;
}

/* The call entry of the top entry's lanes: the nearest one that it stands on. */
static uint32_t find_call(const struct simt_stack *stack)
{
    uint32_t at = stack->depth - 1;

    while (stack->entries[at].kind != STACK_CALL) {
        at = simt_stack_parent(stack, at);
    }
    return at;
}

uint32_t simt_stack_return_pc(const struct simt_stack *stack)
{
    uint32_t call = find_call(stack);
    return call == 0 ? PC_EXIT : stack->entries[call - 1].pc;
}

uint32_t simt_stack_return_lowest(const struct simt_stack *stack)
{
    uint32_t call = find_call(stack);
    return call == 0 ? 0 : call - 1;
}

bool simt_stack_return(struct simt_stack *stack)
{
    uint64_t leaving = simt_stack_top(stack)->mask;
    uint32_t call = find_call(stack);

    for (uint32_t at = call; at < stack->depth; at++) {
        stack->entries[at].mask &= ~leaving;
    }
    while (stack->depth > call && simt_stack_top(stack)->mask == 0) {
        stack->depth--;
    }
    if (stack->depth == 0) {
        return false;
    }
    simt_stack_reconverge(stack);
    return true;
}
