/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The reconvergence stack of a wavefront (papers/004 sections 1.3.2 and 2.2.3).
 *
 * The top entry says what executes next: program counter, active lanes, and the program counter at
 * which it is popped. A divergent branch leaves an entry at the branch's immediate post-dominator
 * and pushes one entry per direction. A call pushes a call entry, whose reconvergence point no
 * program counter equals, so that lanes reconverge at their own depth of recursion only. Lanes that
 * return (or end) while others of their call still run are taken out of the entries down to their
 * call entry; they wait, active, in the caller's.
 *
 * An entry stands on the one that waits for it, its parent: the caller's, or the one that waits at
 * the reconvergence point. Its level is the parent's and one more. Neighbours of one level have one
 * parent; an entry with all that stands on it is a block of neighbours. */
#ifndef SLUICE_SIMT_UNIT_SIMT_STACK_H
#define SLUICE_SIMT_UNIT_SIMT_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "simt/lanes/lanes.h"
#include "simt/program/program.h"
#include "sluice/codes.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"

struct stack_entry {
    uint64_t mask;
    uint32_t pc;
    uint32_t reconvergence; /* PC_NONE: until the lanes return */
    uint8_t kind;           /* enum stack_kind */
    uint32_t level;         /* the entries that it is stacked on, each on the next */
};

enum stack_kind {
    STACK_PLAIN = SL_STACK_PLAIN, /* a way of a branch */
    STACK_CALL = SL_STACK_CALL,
    STACK_RETRY = SL_STACK_RETRY, /* lanes that want a lock (simt/locks) */
    STACK_LOCK = SL_STACK_LOCK    /* lanes that have taken one */
};

struct simt_stack {
    struct stack_entry *entries; /* capacity of them */
    uint32_t depth;              /* entries in use; the top one is entries[depth - 1] */
    uint32_t capacity;
    uint32_t hardware; /* entries that the hardware holds; stack_spill.c */
    uint32_t spilled;  /* the lowest ones, in memory: a multiple of STACK_LINE_ENTRIES */
};

/* Entries in a cache line of the save area. */
#define STACK_LINE_ENTRIES (SL_CACHE_LINE_BYTES / SL_STACK_ENTRY_BYTES)

/* One direction of a divergent branch or jump. */
struct stack_direction {
    uint64_t mask;
    uint32_t pc;
};

/* Begins with one call entry: the kernel itself. */
void simt_stack_begin(struct simt_stack *stack, uint32_t pc, uint64_t mask);

static inline struct stack_entry *simt_stack_top(struct simt_stack *stack)
{
    return &stack->entries[stack->depth - 1];
}

/* The entry that one stands on, which is not the lowest. */
static inline uint32_t simt_stack_parent(const struct simt_stack *stack, uint32_t at)
{
    const uint32_t level = stack->entries[at].level;

    do {
        at--;
    } while (stack->entries[at].level >= level);
    return at;
}

/* Whether the top entry's lanes have to wait in it until others come to `reconvergence`: whoever is
 * below waits there already if that is where the entry itself is popped. A call's boundary always
 * stays, as does one whose lanes a lock's release looks for (simt/locks). */
static inline bool simt_stack_stays(const struct stack_entry *top, uint32_t reconvergence)
{
    return reconvergence != top->reconvergence || top->kind == STACK_CALL ||
           (reconvergence == PC_NONE && top->kind != STACK_PLAIN);
}

/* The lanes that have not ended. */
static inline uint64_t simt_stack_live(const struct simt_stack *stack)
{
    return stack->entries[0].mask;
}

/* Lanes of the top entry go in `count` (2 or more) directions and reconverge at `reconvergence`
 * (PC_NONE: not before they return). The last direction executes first. Returns 0, or -1, with the
 * stack as it was, where it is too small. */
int simt_stack_diverge(struct simt_stack *stack, const struct stack_direction *directions,
                       unsigned count, uint32_t reconvergence);

/* The lanes of the top entry call a function at `target`; they come back to `back`. Returns 0, or
 * -1, with the stack as it was, where it is too small. */
int simt_stack_call(struct simt_stack *stack, uint32_t target, uint32_t back);

/* Where the lanes of the top entry return to: the entry below their call entry has it. PC_EXIT from
 * the kernel itself. */
uint32_t simt_stack_return_pc(const struct simt_stack *stack);

/* The lowest entry that a return of the top entry's lanes looks at. */
uint32_t simt_stack_return_lowest(const struct simt_stack *stack);

/* The lanes of the top entry return. False when that leaves nothing to execute: the wavefront has
 * ended. */
bool simt_stack_return(struct simt_stack *stack);

/* Whether entries have to move between hardware and memory: the top one is in memory, or the
 * hardware would hold too many. */
static inline bool simt_stack_is_unbalanced(const struct simt_stack *stack)
{
    return stack->depth - stack->spilled - 1 >= stack->hardware;
}

/* Pops entries that have reached their reconvergence point; called after the top's program counter
 * changed. */
static inline void simt_stack_reconverge(struct simt_stack *stack)
{
    struct stack_entry *top = simt_stack_top(stack);

    while (top->pc == top->reconvergence) {
        stack->depth--;
        top--;
    }
}

#endif
