/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The simulator's end of a ring. Each record is published when it is complete, so that it is there
 * whatever becomes of the simulator; the host is woken for many at a time. */
#include "observers/ring/ring.h"

#include <assert.h>
#include <string.h>

void ring_open(struct ring_writer *writer, struct sl_ring *ring, const struct ring_host *host)
{
    *writer = (struct ring_writer){
        .ring = ring,
        .host = host,
        .tail = ring->tail,
        .limit = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) + SL_RING_WORDS,
        .woken = ring->tail,
    };
    ring->is_waiting = 0; /* as one that has ended may have left it */
}

static bool is_closed(const struct ring_writer *writer)
{
    return __atomic_load_n(&writer->ring->is_closed, __ATOMIC_RELAXED) != 0;
}

void ring_flush(struct ring_writer *writer)
{
    struct sl_ring *ring = writer->ring;

    writer->woken = writer->tail;
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* the tail before whether it sleeps */
    if (__atomic_load_n(&ring->is_sleeping, __ATOMIC_RELAXED) != 0) {
        __atomic_fetch_add(&ring->bell, 1, __ATOMIC_RELAXED);
        writer->host->wake(writer->host->owner, &ring->bell);
    }
}

/* Waits until there is room for so many words. Returns false where nobody reads. */
static bool wait_for_room(struct ring_writer *writer, uint32_t words)
{
    struct sl_ring *ring = writer->ring;
    const uint32_t bell = __atomic_load_n(&ring->room_bell, __ATOMIC_RELAXED);

    __atomic_store_n(&ring->is_waiting, 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* it waits, before how far the host is */
    writer->limit = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) + SL_RING_WORDS;
    if (writer->tail + words > writer->limit && !is_closed(writer)) {
        ring_flush(writer);
        writer->host->sleep(writer->host->owner, &ring->room_bell, bell);
    }
    __atomic_store_n(&ring->is_waiting, 0, __ATOMIC_RELAXED);
    return !is_closed(writer);
}

uint64_t *ring_take(struct ring_writer *writer, uint32_t words, struct sl_ring_record record)
{
    assert(words <= SL_RING_RECORD_WORDS);
    while (writer->tail + words > writer->limit) {
        if (!wait_for_room(writer, words)) {
            return NULL;
        }
    }
    uint64_t *at = sl_ring_at(writer->ring, writer->tail);
    record.words = (uint16_t)words;
    memcpy(at, &record, sizeof(record));
    return at;
}

void ring_put(struct ring_writer *writer)
{
    const struct sl_ring_record *record = (const void *)sl_ring_at(writer->ring, writer->tail);

    writer->tail += record->words;
    __atomic_store_n(&writer->ring->tail, writer->tail, __ATOMIC_RELEASE);
    if (writer->tail - writer->woken >= SL_RING_WAKE_WORDS) {
        ring_flush(writer);
    }
}
