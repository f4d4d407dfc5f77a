/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Locks for single lanes (docs/know/locks.md; papers/004 chapter 4). Lanes of a wavefront that want
 * one lock get it one after the other, with any control flow around it. The code therefore reads as
 * for a processor's threads. A lane must release all its locks before its function returns, and
 * before a barrier, a yield and its end. All paths that meet must hold the same number of locks. */
#ifndef SLUICE_WAVE_LOCKS_H
#define SLUICE_WAVE_LOCKS_H

#include <stdbool.h>

#include "sluice/lock.h"

/** @defgroup kernel_locks Locks
 * @{ */

/** Waits until the lane has the lock. Acquires at device scope: stores of earlier holders are
 * visible. Faults if the lane already holds this lock, or any lock from sl_trylock(). */
static inline __attribute__((always_inline)) void sl_lock(sl_lock_t *lock)
{
    __asm__ volatile(".insn r 0x0b, 0, 9, x0, %0, x0" : : "r"(lock) : "memory");
}

/** Releases the lock, with a release at device scope. Faults if the lane does not hold it, or has
 * it from sl_trylock(). */
static inline __attribute__((always_inline)) void sl_unlock(sl_lock_t *lock)
{
    __asm__ volatile(".insn r 0x0b, 0, 10, x0, %0, x0" : : "r"(lock) : "memory");
}

/** Requests the lock at most `attempts` times, 1 or more; the first active lane's number counts for
 * all. Returns whether the lane has the lock, acquired as by sl_lock(); release it with
 * sl_tryunlock(). A lane with such a lock never waits for another lock, so it may take several in
 * any order (papers/004 section 9.2.2). */
static inline __attribute__((always_inline)) bool sl_trylock(sl_lock_t *lock,
                                                             unsigned long attempts)
{
    unsigned long taken;

    __asm__ volatile(".insn r 0x0b, 1, 9, %0, %1, %2"
                     : "=r"(taken)
                     : "r"(lock), "r"(attempts)
                     : "memory");
    return taken != 0;
}

/** Releases a lock that sl_trylock() took, with a release at device scope. Faults for any other
 * lock. */
static inline __attribute__((always_inline)) void sl_tryunlock(sl_lock_t *lock)
{
    __asm__ volatile(".insn r 0x0b, 1, 10, x0, %0, x0" : : "r"(lock) : "memory");
}

/** @} */

#endif
