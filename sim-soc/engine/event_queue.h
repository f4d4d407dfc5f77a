/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Event queue of the machine: a timing wheel over CU cycles, into which compute units, front end
 * and memory systems insert.
 *
 * Events are embedded in what they concern (a SIMD unit, a memory instruction, the dispatcher), so
 * that nothing is allocated. At a cycle's edge, memory events come before all others, so that a
 * value that arrives in a cycle is there for what issues in it; otherwise in order of insertion.
 * What has another clock than the compute units may insert at any picosecond: such events follow
 * those at the edge, in order of their times, equal ones in order of insertion. Order depends on
 * nothing else, which makes runs repeatable. */
#ifndef SLUICE_ENGINE_EVENT_QUEUE_H
#define SLUICE_ENGINE_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_QUEUE_SLOTS 4096u /* cycles of the ring; the present and the next half are in it */
#define EVENT_QUEUE_HALF                                                                           \
    (EVENT_QUEUE_SLOTS / 2)    /* events beyond wait in a list for each half that is to come */
#define EVENT_QUEUE_HALVES 64u /* later ones in one list */
#define EVENT_QUEUE_NEVER  UINT64_MAX

enum event_rank { EVENT_MEMORY, EVENT_OTHER, EVENT_RANK_COUNT };

struct event {
    struct event *next;
    uint64_t cycle;
    void (*run)(struct event *event);
    enum event_rank rank;
    uint32_t offset_ps; /* behind the cycle's edge; below a cycle */
    bool queued;
};

struct event_queue_list {
    struct event *first;
    struct event *last;
};

struct event_queue {
    uint64_t cycle_ps;
    struct event_queue_list slot[EVENT_QUEUE_SLOTS][EVENT_RANK_COUNT];
    uint64_t occupied[EVENT_QUEUE_SLOTS / 64];
    uint64_t summary; /* bit i: occupied[i] is not zero */
    struct event_queue_list
        half[EVENT_QUEUE_HALVES]; /* by cycle / EVENT_QUEUE_HALF, in order of insertion */
    uint32_t waiting;             /* events in these lists */
    struct event *far; /* beyond them, sorted by cycle, equal ones in order of insertion */
    uint64_t now;      /* no event before this cycle is queued */
    uint64_t next;     /* cycle of the earliest event, or EVENT_QUEUE_NEVER */

    struct event
        *late[EVENT_QUEUE_SLOTS]; /* of each cycle in the ring: events behind its edge, sorted */
    uint32_t late_count;          /* events in these lists */
    uint32_t offset_ps;           /* of the present, behind the edge of `now` */
};

/* The structure that an event, or a request, is a member of. */
#define CONTAINER_OF(pointer, type, member)                                                        \
    ((type *)(void *)((char *)(pointer)-offsetof(type, member)))

/* An empty wheel at time zero; a cycle is below 2^32 ps. */
void event_queue_init(struct event_queue *event_queue, uint64_t cycle_ps);

/* Takes out all events, which are not told; the present stays. */
void event_queue_clear(struct event_queue *event_queue);

/* The present. */
static inline uint64_t event_queue_now_ps(const struct event_queue *event_queue)
{
    return event_queue->now * event_queue->cycle_ps + event_queue->offset_ps;
}

/* The first cycle edge that is not before a time. The usual clock has a division by a constant. */
static inline uint64_t event_queue_cycle_at(const struct event_queue *event_queue, uint64_t time_ps)
{
    uint64_t cycle_ps = event_queue->cycle_ps;

    return cycle_ps == 1000 ? (time_ps + 999) / 1000 : (time_ps + cycle_ps - 1) / cycle_ps;
}

/* Queues an event (that is not queued) for the edge of a cycle; one that has passed counts as now.
 */
void event_queue_insert(struct event_queue *event_queue, struct event *event, uint64_t cycle);

/* The same for any time, in ps. */
void event_queue_insert_at(struct event_queue *event_queue, struct event *event, uint64_t time_ps);

/* Takes an event out of the queue; does nothing if it is not in it. */
void event_queue_remove(struct event_queue *event_queue, struct event *event);

/* Runs every event up to and including a time, those that they insert too. */
void event_queue_run(struct event_queue *event_queue, uint64_t time_ps);

#endif
