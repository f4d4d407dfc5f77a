/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Writing records into a ring that the host reads (recordings/ring.h). */
#ifndef SLUICE_OBSERVERS_RING_H
#define SLUICE_OBSERVERS_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "recordings/ring.h"

/* The other side, as whoever runs the simulator reaches it. */
struct ring_host {
    void *owner;
    /* Wakes who sleeps on a word. */
    void (*wake)(void *owner, uint32_t *word);
    /* Sleeps while a word has this value, or for a bounded time. */
    void (*sleep)(void *owner, uint32_t *word, uint32_t value);
};

struct ring_writer {
    struct sl_ring *ring;
    const struct ring_host *host;
    uint64_t tail;  /* as in the ring */
    uint64_t limit; /* there is room up to here */
    uint64_t woken; /* the host has been told of so many words */
};

/* Goes on where another writer of the ring has ended; in a zeroed one, at its beginning. */
void ring_open(struct ring_writer *writer, struct sl_ring *ring, const struct ring_host *host);

/* Room for a record of so many words, the first of which has been filled in; waits for it. NULL
 * where nobody reads. ring_put() follows, before the next. */
uint64_t *ring_take(struct ring_writer *writer, uint32_t words, struct sl_ring_record record);
void ring_put(struct ring_writer *writer);

/* The host is to see all that there is. */
void ring_flush(struct ring_writer *writer);

#endif
