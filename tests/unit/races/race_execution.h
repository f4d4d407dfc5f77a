/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A random execution: memory operations of the aggregator and four wavefronts at a time, fences and
 * objects, in the order in which they perform, within the limits of observers/races/races.h.
 * Wavefronts end, and others begin. */
#ifndef SLUICE_TESTS_RACE_EXECUTION_H
#define SLUICE_TESTS_RACE_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "observers/races/races.h"

#define OPERATIONS 12u
#define SLOTS      5u /* the aggregator and 4 wavefronts */
#define THREADS    12u
#define OBJECTS    6u
#define STEPS      128u
#define MEMORY     16u /* bytes */

enum step_kind { STEP_BEGIN, STEP_END, STEP_ACCESS, STEP_FENCE, STEP_LEAVE, STEP_TAKE };

struct race_step {
    enum step_kind kind;
    uint32_t thread;
    uint32_t slot;
    uint64_t place;
    uint64_t group;  /* of a begin */
    uint32_t object; /* likewise, OBJECTS: none; of what leaves or takes */
    uint64_t lanes;
    uint64_t address[4];
    uint8_t bytes;
    enum sl_scope scope;
    bool synchronization;
    bool reads;
    bool writes;
    bool acquire;
    bool release;
};

struct race_context {
    bool lives;
    uint32_t thread;
    uint64_t place; /* next */
    uint64_t group;
};

struct race_execution {
    uint64_t random;
    struct race_context context[SLOTS];
    struct race_step step[STEPS]; /* in the order in which they perform */
    uint32_t steps;
    struct race_step delayed[STEPS];
    uint32_t delays;
    uint32_t threads;
    uint64_t groups; /* given out */
    uint64_t open;   /* bits by group: none of it has ended */
    uint32_t window;
    uint32_t collect;
    uint32_t scopes;   /* bits by enum sl_scope */
    uint32_t ordinary; /* of 8 accesses */
    bool sections;     /* synchronized accesses */
    bool eager;        /* synchronization reads, writes, acquires and releases */
    bool apart; /* ordinary accesses to the upper half of memory, synchronization to the lower */
    enum sl_scope scope_of[MEMORY / 4]; /* of each word, */
    bool one_scope;                     /* unless an access has one of its own */
    uint32_t launches; /* bits by object: something is left in it at device scope */
};

/* The same one for the same seed. */
void race_execution_make(struct race_execution *run, uint64_t seed);

#endif
