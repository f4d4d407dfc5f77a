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

struct writes {
    struct packet *first; /* oldest */
    struct packet *last;
    uint64_t left;      /* so many have, ever */
    uint32_t under_way; /* their end is not known */
    struct mshrs
        ends; /* of those that came to where they go; one place for each that there is room for */
    uint64_t ended_ps;            /* when the last of these ends, or has */
    struct request_queue waiting; /* releases, oldest first */
};

static inline bool writes_create(struct writes *writes, uint32_t room)
{
    *writes = (struct writes){0};
    return mshrs_create(&writes->ends, room);
}

static inline void writes_reset(struct writes *writes)
{
    const struct mshrs ends = writes->ends;

    *writes = (struct writes){.ends = ends};
    mshrs_reset(&writes->ends);
}

/* When there is room for one more: a time, or MEM_PENDING where the next one that comes to where it
 * goes has to tell. */
static inline uint64_t writes_room_ps(const struct writes *writes)
{
    const struct mshrs *ends = &writes->ends;

    return writes->under_way >= ends->count
               ? MEM_PENDING
               : ends->until_ps[(ends->first + writes->under_way) % ends->count];
}

/* A write leaves. There is room. */
static inline void writes_add(struct writes *writes, struct packet *packet)
{
    packet->number = writes->left++;
    packet->next = NULL;
    packet->previous = writes->last;
    *(writes->last != NULL ? &writes->last->next : &writes->first) = packet;
    writes->last = packet;
    writes->under_way++;
}

/* Bytes of a line that are under way. */
static inline uint64_t writes_mask(const struct writes *writes, uint32_t line)
{
    uint64_t mask = 0;

    for (const struct packet *packet = writes->first; packet != NULL; packet = packet->next) {
        mask |= packet->line == line ? packet->mask : 0;
    }
    return mask;
}

/* The request waits for all writes that have left, of which some are under way, and for a time. */
static inline void writes_wait(struct writes *writes, struct mem_request *release, uint64_t time_ps)
{
    release->priv.number = writes->left;
    release->priv.time_ps = time_ps;
    request_queue_put(&writes->waiting, release);
}

/* A write has come to where it goes, and its end is at a time. The packet is the caller's again. */
static inline void writes_remove(struct writes *writes, struct packet *packet, uint64_t end_ps)
{
    *(packet->previous != NULL ? &packet->previous->next : &writes->first) = packet->next;
    *(packet->next != NULL ? &packet->next->previous : &writes->last) = packet->previous;
    writes->under_way--;
    mshrs_take(&writes->ends, end_ps);
    writes->ended_ps = later(writes->ended_ps, end_ps);
    for (struct mem_request *release = writes->waiting.first; release != NULL;
         release = release->priv.next) {
        if (packet->number < release->priv.number) {
            release->priv.time_ps = later(release->priv.time_ps, end_ps);
        }
    }
}

/* A release for which no write is under way any more, or NULL; its time is in priv.time_ps. */
static inline struct mem_request *writes_released(struct writes *writes)
{
    const struct mem_request *release = writes->waiting.first;

    if (release == NULL ||
        (writes->first != NULL && writes->first->number < release->priv.number)) {
        return NULL;
    }
    return request_queue_take(&writes->waiting);
}

#endif
