/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Event queue of the accelerator: a timing wheel over CU cycles.
 *
 * Events are embedded in what they concern (a SIMD unit, a memory instruction, the dispatcher), so
 * that nothing is allocated. Within a cycle, memory events come before all others, so that a value
 * that arrives in a cycle is there for what issues in it; otherwise in order of insertion. Order
 * depends on nothing else, which makes runs repeatable. */
#ifndef SLUICE_TIME_WHEEL_H
#define SLUICE_TIME_WHEEL_H

#include <stdbool.h>
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
    void (*run)(struct event *event, void *owner);
    enum event_rank rank;
    bool queued;
};

struct wheel_list {
    struct event *first;
    struct event *last;
};

struct wheel {
    struct wheel_list slot[WHEEL_SLOTS][EVENT_RANK_COUNT];
    uint64_t occupied[WHEEL_SLOTS / 64];
    uint64_t summary;                     /* bit i: occupied[i] is not zero */
    struct wheel_list half[WHEEL_HALVES]; /* by cycle / WHEEL_HALF, in order of insertion */
    uint32_t waiting;                     /* events in these lists */
    struct event *far; /* beyond them, sorted by cycle, equal ones in order of insertion */
    uint64_t now;      /* no event before this cycle is queued */
    uint64_t next;     /* cycle of the earliest event, or WHEEL_NEVER */
};

void wheel_init(struct wheel *wheel);

/* Queues an event (that is not queued) for a cycle; one that has passed counts as now. */
void wheel_insert(struct wheel *wheel, struct event *event, uint64_t cycle);

/* Takes an event out of the queue; does nothing if it is not in it. */
void wheel_remove(struct wheel *wheel, struct event *event);

/* Runs every event up to and including `cycle`, those that they insert too. `owner` is passed on.
 */
void wheel_run(struct wheel *wheel, uint64_t cycle, void *owner);

#endif
