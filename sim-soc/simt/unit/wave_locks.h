/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is known of a wavefront's locks: those that its lanes hold, and the lock or unlock that is
 * under way (simt/locks). */
#ifndef SLUICE_SIMT_UNIT_WAVE_LOCKS_H
#define SLUICE_SIMT_UNIT_WAVE_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/event_queue.h"
#include "mem/mem.h"
#include "simt/lanes/lanes.h"
#include "simt/program/program.h"

struct wave;

/* What has become of a lane's request. */
enum lock_outcome {
    LOCK_REFUSED, /* it has not been performed: its queue has no room */
    LOCK_FAILED,  /* the lock is taken */
    LOCK_WON,
    LOCK_FAULTY /* the word is what it must not be */
};

/* What a lane has asked memory for. */
struct wave_lock_request {
    struct mem_request request;
    struct event perform; /* it takes effect, where memory is coherent */
    struct wave *wave;
    uint64_t address;         /* of the lock */
    uint64_t done_cycle;      /* the reply is there, where that is known */
    const struct simt_op *op; /* of which instruction, */
    uint64_t place;           /* and where that is in program order */
    int32_t found;            /* the lock's word, before */
    enum lock_outcome outcome;
};

/* Rounds in a row that nobody has won, after which it is looked at whether anybody ever will
 * (simt/deadlock/lock_cycles.c). */
#define LOCK_LOST_OFTEN 64u

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
    uint64_t faulty;         /* lanes that have found what they must not */

    /* With lock.queue = on: what the wavefront has asked for and goes on without. */
    uint64_t queued;     /* lanes whose answer is pending, */
    uint64_t granted;    /* and those that have the lock, and wait for their LR to be on top */
    bool waits_in_queue; /* nothing issues before one more answer */

    /* The instruction under way, which no other follows before it is done. */
    const struct simt_op *op;
    uint64_t asking;         /* lanes of the present round */
    uint64_t winners;        /* those of them that have got the lock */
    uint64_t taken;          /* sl.trylock: in all rounds */
    uint64_t attempts;       /* sl.trylock: rounds that are left */
    uint64_t issue_cycle;    /* of the round */
    uint64_t done_cycle;     /* all replies so far are there */
    uint32_t pending;        /* replies that are to come */
    struct mem_request sync; /* its release, or its acquire */
    struct event next;       /* what comes next of it: `step` */
    void (*step)(struct wave *wave, uint64_t cycle);
    struct wave_lock_request lane[LANES];
};

#endif
