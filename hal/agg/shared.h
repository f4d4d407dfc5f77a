/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Accesses to memory words that the aggregator shares with compute units or the host.
 *
 * Polling uses a relaxed load and, only once the value shows something new, the acquire fence: a
 * poll that finds nothing is one load. */
#ifndef SLUICE_AGG_SHARED_H
#define SLUICE_AGG_SHARED_H

#include <stdint.h>

static inline uint32_t shared_load32_relaxed(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline uint64_t shared_load64_relaxed(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline uint32_t shared_load32_acquire(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline uint64_t shared_load64_acquire(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void shared_store32_relaxed(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline void shared_store64_relaxed(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline void shared_store32_release(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline void shared_store64_release(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* Makes the relaxed loads before it acquires. */
static inline void shared_acquire(void)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

#endif
