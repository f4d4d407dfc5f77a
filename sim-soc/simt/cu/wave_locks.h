/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is known of a wavefront's locks: those that its lanes hold, and the lock or unlock that is
 * under way (simt/lock). */
#ifndef SLUICE_SIMT_CU_WAVE_LOCKS_H
#define SLUICE_SIMT_CU_WAVE_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/mem.h"
#include "simt/code/program.h"
#include "simt/lanes/lanes.h"
#include "time/wheel.h"

struct wave;

/* What a lane has asked memory for. */
struct lock_request {
    struct mem_request request;
    struct event perform; /* it takes effect, where memory is coherent */
    struct wave *wave;
    uint64_t address;    /* of the lock */
    uint64_t done_cycle; /* the reply is there, where that is known */
    int32_t found;       /* the lock's word, before */
};

struct wave_locks {
    bool is_used;            /* since the wavefront took its context: else what follows, up to
                                `op`, is zero */
    uint64_t holders;        /* lanes that hold a lock, taken by sl.lock, */
    uint64_t triers;         /* or by sl.trylock */
    uint32_t failed_rounds;  /* of sl.lock, in a row */
    uint16_t held[LANES];    /* by lane: how many of the one kind, */
    uint16_t tried[LANES];   /* and of the other */
    uint16_t unlocks[LANES]; /* with lock.stack = thesis: its unlock counter */
    uint64_t address[LANES]; /* exclusive or of those that it holds: of a single one, its own */

    /* The instruction under way, which no other follows before it is done. */
    const struct simt_op *op;
    uint64_t asking;         /* lanes of the present round */
    uint64_t winners;        /* those of them that have got the lock */
    uint64_t faulty;         /* those that have found what they must not */
    uint64_t taken;          /* sl.trylock: in all rounds */
    uint64_t attempts;       /* sl.trylock: rounds that are left */
    uint64_t place;          /* in program order: memory instructions of the wavefront before it */
    uint64_t issue_cycle;    /* of the round */
    uint64_t done_cycle;     /* all replies so far are there */
    uint32_t pending;        /* replies that are to come */
    struct mem_request sync; /* its release, or its acquire */
    struct event next;       /* what comes next of it: `step` */
    void (*step)(struct wave *wave, uint64_t cycle);
    struct lock_request lane[LANES];
};

#endif
