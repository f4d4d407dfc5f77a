/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Writes of a cache that are on their way down, and the releases that wait for them.
 *
 * Writes are numbered in the order in which they leave. Each ends at a time that is known when it
 * comes to where it goes, in any order; a release is over when all those have ended that left
 * before it. There is room for so many from leaving to end: what would be one more waits, which is
 * how memory that is short of bandwidth holds back who writes to it. */
#ifndef SLUICE_MEM_CACHE_WRITE_QUEUE_H
#define SLUICE_MEM_CACHE_WRITE_QUEUE_H

#include "engine/clock.h"
#include "mem/cache/request_queue.h"
#include "mem/cache/transaction.h"
#include "mem/parts/mshr_slots.h"

struct write_queue {
    struct transaction *first; /* oldest */
    struct transaction *last;
    uint64_t left;      /* so many have, ever */
    uint32_t in_flight; /* their end is not known */
    struct mshrs
        ends; /* of those that came to where they go; one place for each that there is room for */
    uint64_t ended_ps;            /* when the last of these ends, or has */
    struct request_queue waiting; /* releases, oldest first */
};

static inline bool write_queue_create(struct write_queue *writes, uint32_t room)
{
    *writes = (struct write_queue){0};
    return mshrs_create(&writes->ends, room);
}

static inline void write_queue_reset(struct write_queue *writes)
{
    const struct mshrs ends = writes->ends;

    *writes = (struct write_queue){.ends = ends};
    mshrs_reset(&writes->ends);
}

/* When there is room for one more: a time, or MEM_PENDING where the next one that comes to where it
 * goes has to tell. */
static inline uint64_t write_queue_room_ps(const struct write_queue *writes)
{
    const struct mshrs *ends = &writes->ends;

    return writes->in_flight >= ends->count
               ? MEM_PENDING
               : ends->until_ps[(ends->first + writes->in_flight) % ends->count];
}

/* A write leaves. There is room. */
static inline void write_queue_add(struct write_queue *writes, struct transaction *transaction)
{
    transaction->number = writes->left++;
    transaction->next = NULL;
    transaction->previous = writes->last;
    *(writes->last != NULL ? &writes->last->next : &writes->first) = transaction;
    writes->last = transaction;
    writes->in_flight++;
}

/* Bytes of a line that are under way. */
static inline uint64_t write_queue_mask(const struct write_queue *writes, uint32_t line)
{
    uint64_t mask = 0;

    for (const struct transaction *transaction = writes->first; transaction != NULL;
         transaction = transaction->next) {
        mask |= transaction->line == line ? transaction->mask : 0;
    }
    return mask;
}

/* The request waits for all writes that have left, of which some are under way, and for a time. */
static inline void write_queue_wait(struct write_queue *writes, struct mem_request *release,
                                    uint64_t time_ps)
{
    release->priv.number = writes->left;
    release->priv.time_ps = time_ps;
    request_queue_put(&writes->waiting, release);
}

/* A write has come to where it goes, and its end is at a time. The transaction is the caller's
 * again. */
static inline void write_queue_remove(struct write_queue *writes, struct transaction *transaction,
                                      uint64_t end_ps)
{
    *(transaction->previous != NULL ? &transaction->previous->next : &writes->first) =
        transaction->next;
    *(transaction->next != NULL ? &transaction->next->previous : &writes->last) =
        transaction->previous;
    writes->in_flight--;
    mshrs_take(&writes->ends, end_ps);
    writes->ended_ps = later(writes->ended_ps, end_ps);
    for (struct mem_request *release = writes->waiting.first; release != NULL;
         release = release->priv.next) {
        if (transaction->number < release->priv.number) {
            release->priv.time_ps = later(release->priv.time_ps, end_ps);
        }
    }
}

/* A release for which no write is under way any more, or NULL; its time is in priv.time_ps. */
static inline struct mem_request *write_queue_released(struct write_queue *writes)
{
    const struct mem_request *release = writes->waiting.first;

    if (release == NULL ||
        (writes->first != NULL && writes->first->number < release->priv.number)) {
        return NULL;
    }
    return request_queue_take(&writes->waiting);
}

#endif
