/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locks of lanes (docs/know/locks.md; papers/004 chapters 4 and 6.2, and 9.2 for trying and for
 * standing back). */
#ifndef SLUICE_SIMT_LOCKS_H
#define SLUICE_SIMT_LOCKS_H

#include "simt/unit/unit.h"

/* ---- lock_issue.c ---- */

/* A lock or unlock issues, or one that only tries. */
void lock_execute(struct wave *wave, const struct simt_op *op, uint64_t cycle);
void lock_next_event(struct event *event);

/* ---- lock_request.c: what memory is asked for ---- */

/* Asks for the lanes in wave->locks.asking, whose addresses are in wave->locks.lane[]; when all
 * replies are in, wave->locks.winners and faulty say what they were, and `then` is called. */
void lock_send(struct wave *wave, uint64_t cycle, void (*then)(struct wave *wave, uint64_t cycle));

/* The same where memory queues them (mem_system.queues_locks): those in wave->locks.asking are
 * asked for, others of the wavefront may be in queues already. `then` is called when there is
 * something to go on with: wave->locks.granted, queued and faulty say what. */
void lock_send_to_queues(struct wave *wave, uint64_t cycle,
                         void (*then)(struct wave *wave, uint64_t cycle));

/* Whether there is: a lane has been granted its lock whose turn it can be, no request of the top
 * entry's lanes is in a queue, or others have code to execute: they may hold what is waited for. */
bool lock_has_news(const struct wave *wave);

/* The instruction acquires, or releases, at device scope: `then` is called when that is over. */
void lock_synchronize(struct wave *wave, bool is_release, uint64_t cycle,
                      void (*then)(struct wave *wave, uint64_t cycle));

/* Calls `step` in a cycle, or in the present one. */
void lock_later(struct wave *wave, uint64_t cycle, void (*step)(struct wave *wave, uint64_t cycle));

/* What a lock's word says while a lane has it. */
static inline int32_t lock_lane_id(const struct wave *wave, uint64_t lane)
{
    return (int32_t)(wave->block * wave_cu(wave)->shape.lanes + lane);
}

/* ---- lock_wants.c: what a wavefront waits for ---- */

/* Whether nothing of the wavefront can execute but locks that it has asked for: every entry of its
 * stack on which none stands is an LR, or, with lock.stack = thesis, the top one is. */
bool lock_only_retries(const struct wave *wave);

/* The lowest entry with code to execute that gets its turn; the stack's depth where there is none,
 * and nothing is left but locks that have been asked for. */
uint32_t lock_way_on(const struct wave *wave);

/* The lanes that want a lock; their addresses. */
uint64_t lock_wanted(const struct wave *wave, lane_vector address);

#endif
