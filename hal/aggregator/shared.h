/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Accesses to memory words that the aggregator shares with compute units or the host.
 *
 * Polling uses a relaxed load and, only once the value shows something new, the acquire fence: a
 * poll that finds nothing is one load. */
#ifndef SLUICE_AGGREGATOR_SHARED_H
#define SLUICE_AGGREGATOR_SHARED_H

#include <stdbool.h>
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

/* Replaces *expected, unless the word has another value by now: that is in *expected then. */
static inline bool shared_exchange64(uint64_t *word, uint64_t *expected, uint64_t value)
{
    return __atomic_compare_exchange_n(word, expected, value, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

/* Returns what the word was. */
static inline uint64_t shared_add64(uint64_t *word, uint64_t value)
{
    return __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
}

/* Makes the relaxed loads before it acquires. */
static inline void shared_acquire(void)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

#endif
