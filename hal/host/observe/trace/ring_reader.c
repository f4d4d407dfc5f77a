/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The host's end of a ring. */
#include "host/observe/trace/ring_reader.h"

#include <signal.h>

#include "host/driver/machine/futex.h"

#define SLICE_MS   100
#define GIVE_WORDS (SL_RING_WORDS / 8) /* read words are given back in such pieces */

static void ring_the_bell(struct sl_ring *ring)
{
    __atomic_fetch_add(&ring->bell, 1, __ATOMIC_RELAXED);
    sl_futex_wake(&ring->bell);
}

static void close_ring(struct sl_ring *ring)
{
    __atomic_store_n(&ring->is_closed, 1, __ATOMIC_RELAXED);
}

static bool is_closed(const struct sl_ring *ring)
{
    return __atomic_load_n(&ring->is_closed, __ATOMIC_RELAXED) != 0;
}

/* Gives words back that have been read. */
static void give_back(struct sl_ring *ring, uint64_t head)
{
    __atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* how far we are, before whether it waits */
    if (__atomic_load_n(&ring->is_waiting, __ATOMIC_RELAXED) != 0) {
        __atomic_fetch_add(&ring->room_bell, 1, __ATOMIC_RELAXED);
        sl_futex_wake(&ring->room_bell);
    }
}

/* Reads all that there is. A closed ring is read without a look at what it has. */
static void read_all(struct sl_ring_reader *drain)
{
    struct sl_ring *const ring = drain->ring;
    const uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
    uint64_t head = ring->head;
    uint64_t given = head;

    while (head != tail) {
        const uint64_t *const record = sl_ring_at(ring, head);
        if (!is_closed(ring) && !drain->user.take(drain->user.owner, record)) {
            close_ring(ring);
        }
        head += ((const struct sl_ring_record *)(const void *)record)->words;
        if (head - given >= GIVE_WORDS) {
            give_back(ring, head);
            given = head;
        }
    }
    give_back(ring, head);
}

/* All is read that was there when `asked` was looked at: what came of it is completed, and who
 * waits for that is woken. */
static void rest(struct sl_ring_reader *drain, uint32_t asked)
{
    struct sl_ring *const ring = drain->ring;

    if (ring->head == drain->rested && asked == drain->answered) {
        return;
    }
    if (!is_closed(ring) && !drain->user.rest(drain->user.owner)) {
        close_ring(ring);
    }
    drain->rested = ring->head;
    __atomic_store_n(&drain->answered, asked, __ATOMIC_RELEASE);
    sl_futex_wake(&drain->answered);
}

static bool is_empty(const struct sl_ring *ring)
{
    return __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) == ring->head;
}

static void sleep_until_bell(struct sl_ring_reader *drain)
{
    struct sl_ring *const ring = drain->ring;
    const uint32_t seen = __atomic_load_n(&ring->bell, __ATOMIC_RELAXED);

    __atomic_store_n(&ring->is_sleeping, 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* it sleeps, before whether there is more */
    if (is_empty(ring) && __atomic_load_n(&drain->is_over, __ATOMIC_RELAXED) == 0 &&
        __atomic_load_n(&drain->asked, __ATOMIC_RELAXED) == drain->answered) {
        sl_futex_wait(&ring->bell, seen, SLICE_MS);
    }
    __atomic_store_n(&ring->is_sleeping, 0, __ATOMIC_RELAXED);
}

static void *drain_thread(void *argument)
{
    struct sl_ring_reader *const drain = argument;

    for (;;) {
        const bool is_over = __atomic_load_n(&drain->is_over, __ATOMIC_ACQUIRE) != 0;
        const uint32_t asked = __atomic_load_n(&drain->asked, __ATOMIC_ACQUIRE);
        read_all(drain);
        if (is_empty(drain->ring)) {
            rest(drain, asked);
            if (is_over) {
                return NULL;
            }
            sleep_until_bell(drain);
        }
    }
}

int sl_ring_reader_open(struct sl_ring_reader *drain, struct sl_ring *ring,
                        const struct sl_ring_reader_user *user)
{
    sigset_t all;
    sigset_t before;

    *drain = (struct sl_ring_reader){.ring = ring, .user = *user, .rested = ring->head};
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const int reason = pthread_create(&drain->thread, NULL, drain_thread, drain);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (reason != 0) {
        drain->ring = NULL;
    }
    return reason;
}

void sl_ring_reader_flush(struct sl_ring_reader *drain)
{
    if (drain->ring != NULL) {
        __atomic_fetch_add(&drain->asked, 1, __ATOMIC_RELEASE);
        ring_the_bell(drain->ring);
    }
}

bool sl_ring_reader_is_flushed(const struct sl_ring_reader *drain)
{
    return __atomic_load_n(&drain->answered, __ATOMIC_ACQUIRE) == drain->asked;
}

void sl_ring_reader_sleep(const struct sl_ring_reader *drain, int limit_ms)
{
    const uint32_t answered = __atomic_load_n(&drain->answered, __ATOMIC_ACQUIRE);

    if (answered != drain->asked) {
        sl_futex_wait(&drain->answered, answered, limit_ms);
    }
}

bool sl_ring_reader_is_awaited(const struct sl_ring_reader *drain)
{
    const struct sl_ring *const ring = drain->ring;
    if (ring == NULL) {
        return false;
    }
    const uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
    const uint64_t used = tail - __atomic_load_n(&ring->head, __ATOMIC_RELAXED);

    return __atomic_load_n(&ring->is_waiting, __ATOMIC_RELAXED) != 0 &&
           used > SL_RING_WORDS - SL_RING_RECORD_WORDS;
}

void sl_ring_reader_close(struct sl_ring_reader *drain)
{
    if (drain->ring != NULL) {
        __atomic_store_n(&drain->is_over, 1, __ATOMIC_RELEASE);
        ring_the_bell(drain->ring);
        (void)pthread_join(drain->thread, NULL);
        drain->ring = NULL;
    }
}
