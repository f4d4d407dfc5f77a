/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Timing wheel: one list pair per cycle, found through a two-level bitmap; behind it a coarser
 * wheel, whose lists are dealt out when their time is near. Memory that is short of bandwidth has
 * hundreds of events that far ahead. */
#include "engine/event_queue.h"

#include <stddef.h>
#include <string.h>

#include "engine/clock.h"

_Static_assert(EVENT_QUEUE_SLOTS == 64 * 64, "one summary word covers the bitmap");

void event_queue_init(struct event_queue *event_queue, uint64_t cycle_ps)
{
    memset(event_queue, 0, sizeof(*event_queue));
    event_queue->cycle_ps = cycle_ps;
    event_queue->next = EVENT_QUEUE_NEVER;
}

void event_queue_clear(struct event_queue *event_queue)
{
    const uint64_t now = event_queue->now;
    const uint32_t offset_ps = event_queue->offset_ps;

    event_queue_init(event_queue, event_queue->cycle_ps);
    event_queue->now = now;
    event_queue->offset_ps = offset_ps;
}

static void list_append(struct event_queue_list *list, struct event *event)
{
    event->next = NULL;
    if (list->first == NULL) {
        list->first = event;
    } else {
        list->last->next = event;
    }
    list->last = event;
}

static void list_remove(struct event_queue_list *list, struct event *event)
{
    struct event *before = NULL;

    for (struct event *at = list->first; at != event; at = at->next) {
        before = at;
    }
    if (before == NULL) {
        list->first = event->next;
    } else {
        before->next = event->next;
    }
    if (list->last == event) {
        list->last = before;
    }
}

/* Behind those that are not later. */
static void late_insert(struct event_queue *event_queue, struct event **place, struct event *event)
{
    while (*place != NULL && (*place)->offset_ps <= event->offset_ps) {
        place = &(*place)->next;
    }
    event->next = *place;
    *place = event;
    event_queue->late_count++;
}

static void slot_append(struct event_queue *event_queue, struct event *event)
{
    uint32_t index = event->cycle % EVENT_QUEUE_SLOTS;

    if (event->offset_ps != 0) {
        late_insert(event_queue, &event_queue->late[index], event);
    } else {
        list_append(&event_queue->slot[index][event->rank], event);
    }
    event_queue->occupied[index / 64] |= 1ull << (index % 64);
    event_queue->summary |= 1ull << (index / 64);
}

static void slot_clear_if_empty(struct event_queue *event_queue, uint32_t index)
{
    if (event_queue->slot[index][EVENT_MEMORY].first ||
        event_queue->slot[index][EVENT_OTHER].first || event_queue->late[index]) {
        return;
    }
    event_queue->occupied[index / 64] &= ~(1ull << (index % 64));
    if (event_queue->occupied[index / 64] == 0) {
        event_queue->summary &= ~(1ull << (index / 64));
    }
}

/* How many halves of the ring an event is ahead: 0 and 1 are in it. */
static uint64_t halves_ahead(const struct event_queue *event_queue, const struct event *event)
{
    return event->cycle / EVENT_QUEUE_HALF - event_queue->now / EVENT_QUEUE_HALF;
}

static struct event_queue_list *half_of(struct event_queue *event_queue, const struct event *event)
{
    return &event_queue->half[event->cycle / EVENT_QUEUE_HALF % EVENT_QUEUE_HALVES];
}

static void far_insert(struct event_queue *event_queue, struct event *event)
{
    struct event **place = &event_queue->far;

    while (*place != NULL && (*place)->cycle <= event->cycle) {
        place = &(*place)->next;
    }
    event->next = *place;
    *place = event;
}

static void place(struct event_queue *event_queue, struct event *event)
{
    uint64_t ahead = halves_ahead(event_queue, event);

    if (ahead < 2) {
        slot_append(event_queue, event);
    } else if (ahead < EVENT_QUEUE_HALVES) {
        list_append(half_of(event_queue, event), event);
        event_queue->waiting++;
    } else {
        far_insert(event_queue, event);
    }
}

static void insert(struct event_queue *event_queue, struct event *event, uint64_t cycle,
                   uint32_t offset_ps)
{
    event->cycle = cycle;
    event->offset_ps = offset_ps;
    event->queued = true;
    place(event_queue, event);
    if (event->cycle < event_queue->next) {
        event_queue->next = event->cycle;
    }
}

void event_queue_insert(struct event_queue *event_queue, struct event *event, uint64_t cycle)
{
    insert(event_queue, event, later(cycle, event_queue->now), 0);
}

void event_queue_insert_at(struct event_queue *event_queue, struct event *event, uint64_t time_ps)
{
    const uint64_t at_ps = later(time_ps, event_queue_now_ps(event_queue));

    insert(event_queue, event, at_ps / event_queue->cycle_ps,
           (uint32_t)(at_ps % event_queue->cycle_ps));
}

/* Cycle of the earliest event in the slots, from `now` on. */
static uint64_t slots_next(const struct event_queue *event_queue)
{
    if (event_queue->summary == 0) {
        return EVENT_QUEUE_NEVER;
    }
    uint32_t start = event_queue->now % EVENT_QUEUE_SLOTS;
    uint32_t word = start / 64;
    uint64_t bits = event_queue->occupied[word] & (~0ull << (start % 64));

    if (bits == 0) {
        uint64_t behind = word == 63 ? 0 : event_queue->summary & (~0ull << (word + 1));
        word = (uint32_t)__builtin_ctzll(behind ? behind : event_queue->summary);
        bits = event_queue->occupied[word];
    }
    uint32_t index = word * 64 + (uint32_t)__builtin_ctzll(bits);
    return event_queue->now + ((index - start) % EVENT_QUEUE_SLOTS);
}

/* Cycle of the earliest event that waits for the ring. */
static uint64_t halves_next(const struct event_queue *event_queue)
{
    uint64_t half = event_queue->now / EVENT_QUEUE_HALF;
    uint64_t earliest = EVENT_QUEUE_NEVER;

    while (event_queue->half[half % EVENT_QUEUE_HALVES].first == NULL) {
        half++;
    }
    for (struct event *event = event_queue->half[half % EVENT_QUEUE_HALVES].first; event != NULL;
         event = event->next) {
        earliest = event->cycle < earliest ? event->cycle : earliest;
    }
    return earliest;
}

static void update_next(struct event_queue *event_queue)
{
    event_queue->next = slots_next(event_queue);
    if (event_queue->next != EVENT_QUEUE_NEVER) {
        return;
    }
    if (event_queue->waiting != 0) {
        event_queue->next = halves_next(event_queue);
    } else if (event_queue->far != NULL) {
        event_queue->next = event_queue->far->cycle;
    }
}

static void unlink(struct event **place, const struct event *event)
{
    while (*place != event) {
        place = &(*place)->next;
    }
    *place = event->next;
}

void event_queue_remove(struct event_queue *event_queue, struct event *event)
{
    if (!event->queued) {
        return;
    }
    event->queued = false;
    uint64_t ahead = halves_ahead(event_queue, event);
    if (ahead < 2) {
        uint32_t index = event->cycle % EVENT_QUEUE_SLOTS;
        if (event->offset_ps != 0) {
            unlink(&event_queue->late[index], event);
            event_queue->late_count--;
        } else {
            list_remove(&event_queue->slot[index][event->rank], event);
        }
        slot_clear_if_empty(event_queue, index);
    } else if (ahead < EVENT_QUEUE_HALVES) {
        list_remove(half_of(event_queue, event), event);
        event_queue->waiting--;
    } else {
        unlink(&event_queue->far, event);
    }
    update_next(event_queue);
}

/* Deals out what waits for a half of the ring. */
static void deal_out(struct event_queue *event_queue, struct event_queue_list *list)
{
    struct event *event = list->first;

    list->first = NULL;
    list->last = NULL;
    while (event != NULL) {
        struct event *next = event->next;
        event_queue->waiting--;
        slot_append(event_queue, event);
        event = next;
    }
}

/* Moves the wheel to a cycle and takes in what came within its reach: at the begin of a half the
 * next one comes into the ring. No event before the cycle is queued. */
static void move_to(struct event_queue *event_queue, uint64_t cycle)
{
    uint64_t from = event_queue->now / EVENT_QUEUE_HALF;
    uint64_t to = cycle / EVENT_QUEUE_HALF;

    event_queue->now = cycle;
    event_queue->offset_ps = 0;
    if (from == to) {
        return;
    }
    if (event_queue->waiting != 0) {
        deal_out(event_queue, &event_queue->half[to % EVENT_QUEUE_HALVES]);
        deal_out(event_queue, &event_queue->half[(to + 1) % EVENT_QUEUE_HALVES]);
    }
    while (event_queue->far != NULL &&
           halves_ahead(event_queue, event_queue->far) < EVENT_QUEUE_HALVES) {
        struct event *event = event_queue->far;
        event_queue->far = event->next;
        place(event_queue, event);
    }
}

/* The next event of the present cycle whose offset is at most `limit_ps`, or NULL. */
static struct event *take_first(struct event_queue *event_queue, uint32_t index, uint64_t limit_ps)
{
    for (unsigned rank = 0; rank < EVENT_RANK_COUNT; rank++) {
        struct event_queue_list *list = &event_queue->slot[index][rank];
        struct event *event = list->first;
        if (event != NULL) {
            list->first = event->next;
            event->queued = false;
            return event;
        }
    }
    struct event *late = event_queue->late_count == 0 ? NULL : event_queue->late[index];
    if (late == NULL || late->offset_ps > limit_ps) {
        return NULL;
    }
    event_queue->late[index] = late->next;
    event_queue->late_count--;
    event_queue->offset_ps = late->offset_ps;
    late->queued = false;
    return late;
}

/* Runs the events of the present cycle up to an offset. */
static void run_cycle(struct event_queue *event_queue, uint64_t limit_ps)
{
    const uint32_t index = event_queue->now % EVENT_QUEUE_SLOTS;
    struct event *event;

    while ((event = take_first(event_queue, index, limit_ps)) != NULL) {
        event->run(event);
    }
    slot_clear_if_empty(event_queue, index);
    update_next(event_queue);
}

void event_queue_run(struct event_queue *event_queue, uint64_t time_ps)
{
    const uint64_t last = time_ps / event_queue->cycle_ps;
    const uint32_t last_offset_ps = (uint32_t)(time_ps % event_queue->cycle_ps);

    while (event_queue->next < last) {
        move_to(event_queue, event_queue->next);
        run_cycle(event_queue, event_queue->cycle_ps);
    }
    if (last > event_queue->now) {
        move_to(event_queue, last);
    }
    if (last == event_queue->now) {
        if (event_queue->next == last) {
            run_cycle(event_queue, last_offset_ps);
        }
        if (event_queue->offset_ps < last_offset_ps) {
            event_queue->offset_ps = last_offset_ps;
        }
    }
}
