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

#define WHEEL_SLOTS 4096u /* cycles of the ring; the present and the next half are in it */
#define WHEEL_HALF                                                                                 \
    (WHEEL_SLOTS / 2)    /* events beyond wait in a list for each half that is to come */
#define WHEEL_HALVES 64u /* later ones in one list */
#define WHEEL_NEVER  UINT64_MAX

enum event_rank { EVENT_MEMORY, EVENT_OTHER, EVENT_RANK_COUNT };

struct event {
    struct event *next;
    uint64_t cycle;
    void (*run)(struct event *event);
    enum event_rank rank;
    uint32_t offset_ps; /* behind the cycle's edge; below a cycle */
    bool queued;
};

struct wheel_list {
    struct event *first;
    struct event *last;
};

struct wheel {
    uint64_t cycle_ps;
    struct wheel_list slot[WHEEL_SLOTS][EVENT_RANK_COUNT];
    uint64_t occupied[WHEEL_SLOTS / 64];
    uint64_t summary;                     /* bit i: occupied[i] is not zero */
    struct wheel_list half[WHEEL_HALVES]; /* by cycle / WHEEL_HALF, in order of insertion */
    uint32_t waiting;                     /* events in these lists */
    struct event *far; /* beyond them, sorted by cycle, equal ones in order of insertion */
    uint64_t now;      /* no event before this cycle is queued */
    uint64_t next;     /* cycle of the earliest event, or WHEEL_NEVER */

    struct event *late[WHEEL_SLOTS]; /* of each cycle in the ring: events behind its edge, sorted */
    uint32_t late_count;             /* events in these lists */
    uint32_t offset_ps;              /* of the present, behind the edge of `now` */
};

/* The structure that an event, or a request, is a member of. */
#define CONTAINER_OF(pointer, type, member)                                                        \
    ((type *)(void *)((char *)(pointer)-offsetof(type, member)))

/* An empty wheel at time zero; a cycle is below 2^32 ps. */
void wheel_init(struct wheel *wheel, uint64_t cycle_ps);

/* Takes out all events, which are not told; the present stays. */
void wheel_clear(struct wheel *wheel);

/* The present. */
static inline uint64_t wheel_now_ps(const struct wheel *wheel)
{
    return wheel->now * wheel->cycle_ps + wheel->offset_ps;
}

/* The first cycle edge that is not before a time. The usual clock has a division by a constant. */
static inline uint64_t wheel_cycle_at(const struct wheel *wheel, uint64_t time_ps)
{
    uint64_t cycle_ps = wheel->cycle_ps;

    return cycle_ps == 1000 ? (time_ps + 999) / 1000 : (time_ps + cycle_ps - 1) / cycle_ps;
}

/* Queues an event (that is not queued) for the edge of a cycle; one that has passed counts as now.
 */
void wheel_insert(struct wheel *wheel, struct event *event, uint64_t cycle);

/* The same for any time, in ps. */
void wheel_insert_at(struct wheel *wheel, struct event *event, uint64_t time_ps);

/* Takes an event out of the queue; does nothing if it is not in it. */
void wheel_remove(struct wheel *wheel, struct event *event);

/* Runs every event up to and including a time, those that they insert too. */
void wheel_run(struct wheel *wheel, uint64_t time_ps);

#endif
