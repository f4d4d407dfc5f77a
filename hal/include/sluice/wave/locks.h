/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Locks, each lane's own (docs/know/locks.md; papers/004 chapter 4). Lanes of a wavefront that want
 * the same lock get it one after the other, whatever the control flow around it, so that code reads
 * as it would for a processor's threads. A lane gives back all that it holds before its function
 * returns, and before a barrier, a yield and its end; ways that meet hold equally many. */
#ifndef SLUICE_WAVE_LOCKS_H
#define SLUICE_WAVE_LOCKS_H

#include <stdbool.h>

#include "sluice/lock.h"

/** @defgroup kernel_locks Locks
 * @{ */

/** Waits until the lane has the lock. Acquires at device scope: what its last holder stored before
 * giving it back is there. A lane that holds it already faults, as does one that holds a lock that
 * it tried. */
static inline __attribute__((always_inline)) void sl_lock(sl_lock_t *lock)
{
    __asm__ volatile(".insn r 0x0b, 0, 9, x0, %0, x0" : : "r"(lock) : "memory");
}

/** Gives the lock back, which the lane holds; else it faults. Releases at device scope. */
static inline __attribute__((always_inline)) void sl_unlock(sl_lock_t *lock)
{
    __asm__ volatile(".insn r 0x0b, 0, 10, x0, %0, x0" : : "r"(lock) : "memory");
}

/** Asks for the lock at most `attempts` times, 1 or more; that of the first active lane is taken
 * for all. Returns whether the lane has it then: acquired as by sl_lock(), and to be given back by
 * sl_tryunlock(). Of lanes that hold one, no other waits: two may be held in any order
 * (papers/004 section 9.2.2). */
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

/** Gives back a lock that sl_trylock() took. */
static inline __attribute__((always_inline)) void sl_tryunlock(sl_lock_t *lock)
{
    __asm__ volatile(".insn r 0x0b, 1, 10, x0, %0, x0" : : "r"(lock) : "memory");
}

/** @} */

#endif
