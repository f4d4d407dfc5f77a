/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The steps of locks and unlocks, between the sources of this folder. Each takes place in a cycle,
 * while wave->locks.op is under way. */
#ifndef SLUICE_SIMT_LOCKS_LOCK_STEPS_H
#define SLUICE_SIMT_LOCKS_LOCK_STEPS_H

#include "simt/locks/lock_stack.h"
#include "simt/locks/locks.h"

static inline bool lock_is_try(const struct simt_op *op)
{
    return op->id == SL_INSN_SL_TRYLOCK || op->id == SL_INSN_SL_TRYUNLOCK;
}

/* ---- lock_end.c ---- */

/* The instruction holds the wavefront no more. Returns whether it is there to go on, which other
 * wavefronts of its group may have ended. */
bool lock_let_go(struct wave *wave);

/* The stack is as the instruction leaves it, with entries from `lowest` up looked at. */
void lock_go_on(struct wave *wave, uint32_t lowest, uint64_t cycle);

/* The same behind an instruction that leaves the stack alone. */
void lock_go_behind(struct wave *wave, uint64_t cycle);

/* Lanes have found what they must not, the lowest one this word. */
void lock_fault_by_word(struct wave *wave, uint64_t lanes, int32_t word);

/* The same of those in wave->locks.faulty. Returns whether there are some. */
bool lock_fault_by_reply(struct wave *wave);

/* Lanes have taken their lock, or given it back. */
void lock_note(struct wave_locks *locks, uint64_t lanes);

/* Counts the time since the issue, or a round of requests whose replies are in. */
void lock_count_wait(struct wave *wave, uint64_t cycle);
void lock_count_round(struct wave *wave, uint64_t cycle);

/* ---- lock_round.c ---- */

/* How long to stand back after so many rounds in a row that nobody has won. */
uint64_t lock_backoff_cycles(const struct cu_shape *shape, uint64_t rounds);

/* The lock under way; its wavefront's top entry is at it. */
struct lock_place lock_place_of(struct wave *wave);

/* The lanes in wave->locks.winners have acquired it; or none has won. */
void lock_won(struct wave *wave, uint64_t cycle);
void lock_lost(struct wave *wave, uint64_t cycle);

/* The lanes in wave->locks.asking ask for it, those of the top entry, an LR. */
void lock_begin_round(struct wave *wave, uint64_t cycle);

/* ---- lock_grant.c ---- */

/* The same, of memory that queues locks. */
void lock_queue(struct wave *wave, uint64_t cycle);

/* ---- lock_try.c, lock_unlock.c ---- */

void lock_try(struct wave *wave, uint64_t cycle);
void lock_give_back(struct wave *wave, uint64_t cycle); /* of either kind */

#endif
