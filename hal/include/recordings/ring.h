/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A ring of records from the simulator to the host, which takes them while simulated time runs. The
 * simulator waits where it is full: nothing is lost, and nothing that is simulated depends on it.
 *
 * A record is whole 64-bit words, the first of which begins with their number. It lies in one
 * piece: one that begins in front of the end of the ring may reach behind it, into words of its
 * own, and the next one begins as if it had not. Both sides are of one build and one machine. */
#ifndef SLUICE_RECORDINGS_RING_H
#define SLUICE_RECORDINGS_RING_H

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

#define SL_RING_WORDS        (1u << 17)
#define SL_RING_RECORD_WORDS 512u       /* the most of a record */
#define SL_RING_WAKE_WORDS   (1u << 13) /* the host is woken when there are so many */

struct sl_ring {
    /* The simulator's. */
    alignas(64) uint64_t tail; /* words written, from the beginning on */
    uint32_t bell;             /* counted up, with a wake, for the host to look */
    uint32_t is_waiting;       /* for room */
    /* The host's. */
    alignas(64) uint64_t head; /* words read */
    uint32_t room_bell;        /* counted up, with a wake, where the simulator waits for room */
    uint32_t is_sleeping;      /* until the bell */
    uint32_t is_closed;        /* nobody reads any more: the simulator writes nothing */
    alignas(64) uint64_t words[SL_RING_WORDS + SL_RING_RECORD_WORDS];
};

/* What each record begins with. */
struct sl_ring_record {
    uint16_t words; /* with this one */
    uint8_t kind;   /* and the rest, by whose ring it is */
    uint8_t byte;
    uint32_t word;
};

static_assert(sizeof(struct sl_ring_record) == 8, "a word");

/* Where a word is whose number counts from the beginning on. */
static inline uint64_t *sl_ring_at(struct sl_ring *ring, uint64_t number)
{
    return &ring->words[number % SL_RING_WORDS];
}

#endif
