/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the host program and the kernel of litmus.c share (docs/do/write-litmus-tests.md, "How a
 * test runs").
 *
 * A launch has a few sets of work-groups. A set runs the test in rounds: each lane of its
 * wavefronts is a thread of another instance, with variables of its own that nobody has touched. */
#ifndef SLUICE_LITMUS_PLAN_H
#define SLUICE_LITMUS_PLAN_H

#include <stdint.h>

#include "litmus/test.h"

/* The wavefronts of a work-group, and the work-groups of a set, are no more than threads. */
#define LITMUS_WAVES_MAX LITMUS_THREADS_MAX

/* Words of litmus_code, where the host puts the test's code. */
#define LITMUS_CODE_WORDS 1024

/* The threads that a wavefront's lanes execute: lane i the one number i % count. */
struct litmus_wave {
    uint32_t count; /* 0: no such wavefront */
    uint32_t thread[LITMUS_THREADS_MAX];
};

/* Of each thread, in a round. */
struct litmus_start {
    uint16_t delay_cycles;
    uint8_t warm; /* bit for each variable */
    uint8_t late; /* 1: behind the others of its wavefront that are not */
};

struct litmus_round {
    uint32_t instance; /* number of the first */
    uint32_t instances;
    struct litmus_start start[LITMUS_THREADS_MAX];
};

/* Where a work-group ran, and how many wavefronts of its set have come to a meeting; each on a line
 * of its own. */
struct litmus_meeting {
    uint32_t arrived;
    uint32_t cu[LITMUS_WAVES_MAX]; /* by work-group of the set */
    uint32_t unused[11];
};

struct litmus_plan {
    uint64_t variables;      /* address of variable 0 of instance 0 */
    uint64_t variable_bytes; /* from one variable of an instance to the next */
    uint64_t instance_bytes; /* from one instance to the next */
    uint64_t results;        /* address of r1 of thread 0 of instance 0: int64_t each */
    uint64_t rounds;         /* address of the rounds; set i has those number i, i + sets... */
    uint64_t meetings;       /* address of the meetings of the sets */
    uint32_t round_count;
    uint32_t threads;
    uint32_t sets;
    uint32_t groups; /* of a set */
    uint32_t waves;  /* of a set, those that there are */
    struct litmus_wave wave[LITMUS_WAVES_MAX][LITMUS_WAVES_MAX]; /* by group and wavefront */
};

_Static_assert(sizeof(struct litmus_meeting) == 64, "a meeting has a line of its own");

#endif
