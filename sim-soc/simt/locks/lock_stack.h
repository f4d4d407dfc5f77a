/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What locks do to the reconvergence stack (docs/know/locks.md): lock.stack says which of two ways.
 * Nothing but the stack and the lanes' unlock counters is known here.
 *
 * A lock pushes a retry entry (LR) of the lanes that want it, at the lock itself; a round in which
 * some of them win puts a lock entry (L) of the winners on top, behind the lock. */
#ifndef SLUICE_SIMT_LOCKS_LOCK_STACK_H
#define SLUICE_SIMT_LOCKS_LOCK_STACK_H

#include "simt/unit/simt_stack.h"

struct sl_config;

/* A lock instruction, as far as the stack goes. */
struct lock_place {
    uint32_t pc;
    uint32_t behind; /* the next instruction */
    uint32_t join;   /* its reconvergence point, or PC_NONE */
};

struct lock_stack_ops {
    bool takes_turns; /* a round without winners brings another way on top, if there is one */

    /* The top entry's lanes execute the lock: for the first time, or again, if that is their LR.
     * Returns 0, or -1, with the stack as it was, where it is too small. */
    int (*lock)(struct simt_stack *stack, const struct lock_place *place);

    /* Some lanes of the top entry, an LR, have won, and go on behind the lock. The same. */
    int (*win)(struct simt_stack *stack, const struct lock_place *place, uint64_t winners);

    /* None has. Returns the lowest entry that was moved to bring another way on top, or the stack's
     * depth where the LR stays there. */
    uint32_t (*lose)(struct simt_stack *stack);

    /* An entry on which none stands comes on top, with those that it stands on; where takes_turns.
     * Returns the lowest entry that was moved. */
    uint32_t (*raise)(struct simt_stack *stack, uint32_t at);

    /* The top entry's lanes have given back a lock, and go on at `behind`. `unlocks`, by lane:
     * those executed since it held no lock, which are counted here. Returns the lowest entry that
     * they were taken out of, or the stack's depth. */
    uint32_t (*unlock)(struct simt_stack *stack, uint32_t behind, uint16_t *unlocks);
};

extern const struct lock_stack_ops lock_stack_join;
extern const struct lock_stack_ops lock_stack_thesis;

const struct lock_stack_ops *lock_stack_of(const struct sl_config *config);

/* Pops entries that unlocks have left without lanes, and those that are at their reconvergence
 * point. */
void lock_stack_settle(struct simt_stack *stack);

#endif
