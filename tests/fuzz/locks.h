/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random kernels with locks, as trees of statements: made from a seed (locks_make.c), turned into
 * machine code (locks_emit.c), and executed lane by lane in plain C (locks_run.c). For
 * test_locks.c.
 *
 * A lane has a state of 64 bits, from which follows what it does: no branch and no address depends
 * on shared data. Shared memory is an array of places, each with a lock and what that protects;
 * additions to it commute, so that the order of sections makes no difference to the result. */
#ifndef SLUICE_TESTS_LOCKS_H
#define SLUICE_TESTS_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/asm.h"

#define LOCKS_NODES     256
#define LOCKS_FUNCTIONS 3 /* the kernel and what it calls */
#define LOCKS_NEST      4 /* locks that a lane holds at most */
#define LOCKS_LOOPS     2 /* loops in each other, of one function */
#define LOCKS_PLACES    8
#define LOCKS_NONE      UINT16_MAX

enum lock_node_kind {
    LOCK_MIX,   /* the state is stirred */
    LOCK_IF,    /* by a bit of the state: body[0], else body[1] */
    LOCK_LOOP,  /* body[0], as often as bits of the state say */
    LOCK_BREAK, /* by a bit of the state: gives back what is held since the loop began, leaves it */
    LOCK_SECTION,
    LOCK_CALL, /* a function, with nothing held */
    LOCK_TRY,  /* a section that is left out where its lock is not free; body[0] stirs nothing */
};

/* What a section (LOCK_SECTION) does. All take a place that follows from the state (in kernels
 * whose locks are ordered one above those of the sections around it; none where there is no such
 * place), count, execute body[0] and add the state. */
enum lock_section_form {
    SECTION_PLAIN,  /* and give the place back */
    SECTION_SPLIT,  /* and give it back in either arm of a branch: body[1], body[2] follow there */
    SECTION_FORKED, /* the lock in either arm of a branch, which meet inside */
    SECTION_HANDED, /* where there is one, the next place is taken before the first is given back */
};

struct lock_node {
    uint8_t kind;
    uint8_t form;
    uint8_t bit; /* of the state */
    uint8_t
        mask; /* bits of the state above `bit` that a place or a number of rounds follows from */
    int16_t constant;
    bool is_out_of_line; /* body[0] of an if stands behind the function */
    uint8_t function;
    uint16_t body[3]; /* the first node of each */
    uint16_t next;    /* in the same body */
};

/* What a seed says. */
struct lock_kernel {
    uint64_t seed;
    bool is_ordered; /* no run may end in a deadlock */
    uint32_t nest;   /* sections in each other, at most */
    uint32_t places;
    uint32_t place_shift; /* they are this far apart, as a power of two */
    uint32_t data_offset; /* from a lock to what it protects */
    struct lock_node nodes[LOCKS_NODES];
    uint32_t node_count;
    uint16_t function[LOCKS_FUNCTIONS]; /* their first nodes */
    uint32_t function_count;
};

/* A place in shared memory: the lock, and, data_offset behind it, as another one of these, the
 * rest. */
struct lock_slot {
    int32_t holder; /* the lock */
    uint32_t owner; /* the lane that is inside, numbered from 1 */
    uint64_t count;
    uint64_t sum;
    uint64_t tried; /* sections whose lock was tried */
};

/* What a lane leaves. */
struct lock_result {
    uint64_t state;
    uint64_t tried;
    uint64_t errors; /* not 0: it was not alone in a section */
};

/* Makes the kernel of a seed. */
void lock_kernel_make(struct lock_kernel *kernel, uint64_t seed, bool is_ordered, uint32_t nest);

/* Its machine code, for lanes with a1 the lane's number, a2 the places, a3 the results. Returns
 * false where it is too long. */
bool lock_kernel_emit(const struct lock_kernel *kernel, struct asm_code *code);

/* Adds what a lane does to the places, and leaves its final state. `number` is its a1. Returns
 * false where it takes too many steps. */
bool lock_kernel_run(const struct lock_kernel *kernel, uint32_t number, struct lock_slot *places,
                     uint64_t *state);

/* ---- what code and plain C have in common ---- */

#define LOCKS_SHIFT_1 13
#define LOCKS_SHIFT_2 7
#define LOCKS_SHIFT_3 17

/* A lane's first state. */
#define LOCKS_BEGIN(kernel) ((int32_t)((kernel)->seed * 2654435761u >> 3 & 0x7ffffff))

#endif
