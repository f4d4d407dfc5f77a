/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Timing wheel: one list pair per cycle, found through a two-level bitmap; behind it a coarser
 * wheel, whose lists are dealt out when their time is near. Memory that is short of bandwidth has
 * hundreds of events that far ahead. */
#include "engine/event_queue.h"

#include <stddef.h>
#include <string.h>

#include "engine/clock.h"

_Static_assert(WHEEL_SLOTS == 64 * 64, "one summary word covers the bitmap");

void wheel_init(struct wheel *wheel, uint64_t cycle_ps)
{
    memset(wheel, 0, sizeof(*wheel));
    wheel->cycle_ps = cycle_ps;
    wheel->next = WHEEL_NEVER;
}

void wheel_clear(struct wheel *wheel)
{
    const uint64_t now = wheel->now;
    const uint32_t offset_ps = wheel->offset_ps;

    wheel_init(wheel, wheel->cycle_ps);
    wheel->now = now;
    wheel->offset_ps = offset_ps;
}

static void list_append(struct wheel_list *list, struct event *event)
{
    event->next = NULL;
    if (list->first == NULL) {
        list->first = event;
    } else {
        list->last->next = event;
    }
    list->last = event;
}

static void list_remove(struct wheel_list *list, struct event *event)
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
static void late_insert(struct wheel *wheel, struct event **place, struct event *event)
{
    while (*place != NULL && (*place)->offset_ps <= event->offset_ps) {
        place = &(*place)->next;
    }
    event->next = *place;
    *place = event;
    wheel->late_count++;
}

static void slot_append(struct wheel *wheel, struct event *event)
{
    uint32_t index = event->cycle % WHEEL_SLOTS;

    if (event->offset_ps != 0) {
        late_insert(wheel, &wheel->late[index], event);
    } else {
        list_append(&wheel->slot[index][event->rank], event);
    }
    wheel->occupied[index / 64] |= 1ull << (index % 64);
    wheel->summary |= 1ull << (index / 64);
}

static void slot_clear_if_empty(struct wheel *wheel, uint32_t index)
{
    if (wheel->slot[index][EVENT_MEMORY].first || wheel->slot[index][EVENT_OTHER].first ||
        wheel->late[index]) {
        return;
    }
    wheel->occupied[index / 64] &= ~(1ull << (index % 64));
    if (wheel->occupied[index / 64] == 0) {
        wheel->summary &= ~(1ull << (index / 64));
    }
}

/* How many halves of the ring an event is ahead: 0 and 1 are in it. */
static uint64_t halves_ahead(const struct wheel *wheel, const struct event *event)
{
    return event->cycle / WHEEL_HALF - wheel->now / WHEEL_HALF;
}

static struct wheel_list *half_of(struct wheel *wheel, const struct event *event)
{
    return &wheel->half[event->cycle / WHEEL_HALF % WHEEL_HALVES];
}

static void far_insert(struct wheel *wheel, struct event *event)
{
    struct event **place = &wheel->far;

    while (*place != NULL && (*place)->cycle <= event->cycle) {
        place = &(*place)->next;
    }
    event->next = *place;
    *place = event;
}

static void place(struct wheel *wheel, struct event *event)
{
    uint64_t ahead = halves_ahead(wheel, event);

    if (ahead < 2) {
        slot_append(wheel, event);
    } else if (ahead < WHEEL_HALVES) {
        list_append(half_of(wheel, event), event);
        wheel->waiting++;
    } else {
        far_insert(wheel, event);
    }
}

static void insert(struct wheel *wheel, struct event *event, uint64_t cycle, uint32_t offset_ps)
{
    event->cycle = cycle;
    event->offset_ps = offset_ps;
    event->queued = true;
    place(wheel, event);
    if (event->cycle < wheel->next) {
        wheel->next = event->cycle;
    }
}

void wheel_insert(struct wheel *wheel, struct event *event, uint64_t cycle)
{
    insert(wheel, event, later(cycle, wheel->now), 0);
}

void wheel_insert_at(struct wheel *wheel, struct event *event, uint64_t time_ps)
{
    const uint64_t at_ps = later(time_ps, wheel_now_ps(wheel));

    insert(wheel, event, at_ps / wheel->cycle_ps, (uint32_t)(at_ps % wheel->cycle_ps));
}

/* Cycle of the earliest event in the slots, from `now` on. */
static uint64_t slots_next(const struct wheel *wheel)
{
    if (wheel->summary == 0) {
        return WHEEL_NEVER;
    }
    uint32_t start = wheel->now % WHEEL_SLOTS;
    uint32_t word = start / 64;
    uint64_t bits = wheel->occupied[word] & (~0ull << (start % 64));

    if (bits == 0) {
        uint64_t behind = word == 63 ? 0 : wheel->summary & (~0ull << (word + 1));
        word = (uint32_t)__builtin_ctzll(behind ? behind : wheel->summary);
        bits = wheel->occupied[word];
    }
    uint32_t index = word * 64 + (uint32_t)__builtin_ctzll(bits);
    return wheel->now + ((index - start) % WHEEL_SLOTS);
}

/* Cycle of the earliest event that waits for the ring. */
static uint64_t halves_next(const struct wheel *wheel)
{
    uint64_t half = wheel->now / WHEEL_HALF;
    uint64_t earliest = WHEEL_NEVER;

    while (wheel->half[half % WHEEL_HALVES].first == NULL) {
        half++;
    }
    for (struct event *event = wheel->half[half % WHEEL_HALVES].first; event != NULL;
         event = event->next) {
        earliest = event->cycle < earliest ? event->cycle : earliest;
    }
    return earliest;
}

static void update_next(struct wheel *wheel)
{
    wheel->next = slots_next(wheel);
    if (wheel->next != WHEEL_NEVER) {
        return;
    }
    if (wheel->waiting != 0) {
        wheel->next = halves_next(wheel);
    } else if (wheel->far != NULL) {
        wheel->next = wheel->far->cycle;
    }
}

static void unlink(struct event **place, const struct event *event)
{
    while (*place != event) {
        place = &(*place)->next;
    }
    *place = event->next;
}

void wheel_remove(struct wheel *wheel, struct event *event)
{
    if (!event->queued) {
        return;
    }
    event->queued = false;
    uint64_t ahead = halves_ahead(wheel, event);
    if (ahead < 2) {
        uint32_t index = event->cycle % WHEEL_SLOTS;
        if (event->offset_ps != 0) {
            unlink(&wheel->late[index], event);
            wheel->late_count--;
        } else {
            list_remove(&wheel->slot[index][event->rank], event);
        }
        slot_clear_if_empty(wheel, index);
    } else if (ahead < WHEEL_HALVES) {
        list_remove(half_of(wheel, event), event);
        wheel->waiting--;
    } else {
        unlink(&wheel->far, event);
    }
    update_next(wheel);
}

/* Deals out what waits for a half of the ring. */
static void deal_out(struct wheel *wheel, struct wheel_list *list)
{
    struct event *event = list->first;

    list->first = NULL;
    list->last = NULL;
    while (event != NULL) {
        struct event *next = event->next;
        wheel->waiting--;
        slot_append(wheel, event);
        event = next;
    }
}

/* Moves the wheel to a cycle and takes in what came within its reach: at the begin of a half the
 * next one comes into the ring. No event before the cycle is queued. */
static void move_to(struct wheel *wheel, uint64_t cycle)
{
    uint64_t from = wheel->now / WHEEL_HALF;
    uint64_t to = cycle / WHEEL_HALF;

    wheel->now = cycle;
    wheel->offset_ps = 0;
    if (from == to) {
        return;
    }
    if (wheel->waiting != 0) {
        deal_out(wheel, &wheel->half[to % WHEEL_HALVES]);
        deal_out(wheel, &wheel->half[(to + 1) % WHEEL_HALVES]);
    }
    while (wheel->far != NULL && halves_ahead(wheel, wheel->far) < WHEEL_HALVES) {
        struct event *event = wheel->far;
        wheel->far = event->next;
        place(wheel, event);
    }
}

/* The next event of the present cycle whose offset is at most `limit_ps`, or NULL. */
static struct event *take_first(struct wheel *wheel, uint32_t index, uint64_t limit_ps)
{
    for (unsigned rank = 0; rank < EVENT_RANK_COUNT; rank++) {
        struct wheel_list *list = &wheel->slot[index][rank];
        struct event *event = list->first;
        if (event != NULL) {
            list->first = event->next;
            event->queued = false;
            return event;
        }
    }
    struct event *late = wheel->late_count == 0 ? NULL : wheel->late[index];
    if (late == NULL || late->offset_ps > limit_ps) {
        return NULL;
    }
    wheel->late[index] = late->next;
    wheel->late_count--;
    wheel->offset_ps = late->offset_ps;
    late->queued = false;
    return late;
}

/* Runs the events of the present cycle up to an offset. */
static void run_cycle(struct wheel *wheel, uint64_t limit_ps)
{
    const uint32_t index = wheel->now % WHEEL_SLOTS;
    struct event *event;

    while ((event = take_first(wheel, index, limit_ps)) != NULL) {
        event->run(event);
    }
    slot_clear_if_empty(wheel, index);
    update_next(wheel);
}

void wheel_run(struct wheel *wheel, uint64_t time_ps)
{
    const uint64_t last = time_ps / wheel->cycle_ps;
    const uint32_t last_offset_ps = (uint32_t)(time_ps % wheel->cycle_ps);

    while (wheel->next < last) {
        move_to(wheel, wheel->next);
        run_cycle(wheel, wheel->cycle_ps);
    }
    if (last > wheel->now) {
        move_to(wheel, last);
    }
    if (last == wheel->now) {
        if (wheel->next == last) {
            run_cycle(wheel, last_offset_ps);
        }
        if (wheel->offset_ps < last_offset_ps) {
            wheel->offset_ps = last_offset_ps;
        }
    }
}
