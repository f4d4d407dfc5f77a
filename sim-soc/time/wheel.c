/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Timing wheel: one list pair per cycle, found through a two-level bitmap; behind it a coarser
 * wheel, whose lists are dealt out when their time is near. Memory that is short of bandwidth has
 * hundreds of events that far ahead. */
#include "time/wheel.h"

#include <stddef.h>
#include <string.h>

_Static_assert(WHEEL_SLOTS == 64 * 64, "one summary word covers the bitmap");

void wheel_init(struct wheel *wheel)
{
    memset(wheel, 0, sizeof(*wheel));
    wheel->next = WHEEL_NEVER;
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

static void slot_append(struct wheel *wheel, struct event *event)
{
    uint32_t index = event->cycle % WHEEL_SLOTS;

    list_append(&wheel->slot[index][event->rank], event);
    wheel->occupied[index / 64] |= 1ull << (index % 64);
    wheel->summary |= 1ull << (index / 64);
}

static void slot_clear_if_empty(struct wheel *wheel, uint32_t index)
{
    if (wheel->slot[index][EVENT_MEMORY].first || wheel->slot[index][EVENT_OTHER].first) {
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

void wheel_insert(struct wheel *wheel, struct event *event, uint64_t cycle)
{
    event->cycle = cycle < wheel->now ? wheel->now : cycle;
    event->queued = true;
    place(wheel, event);
    if (event->cycle < wheel->next) {
        wheel->next = event->cycle;
    }
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
        uint64_t later = word == 63 ? 0 : wheel->summary & (~0ull << (word + 1));
        word = (uint32_t)__builtin_ctzll(later ? later : wheel->summary);
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

static void far_remove(struct wheel *wheel, struct event *event)
{
    struct event **place = &wheel->far;

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
        list_remove(&wheel->slot[index][event->rank], event);
        slot_clear_if_empty(wheel, index);
    } else if (ahead < WHEEL_HALVES) {
        list_remove(half_of(wheel, event), event);
        wheel->waiting--;
    } else {
        far_remove(wheel, event);
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

static struct event *take_first(struct wheel *wheel, uint32_t index)
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
    return NULL;
}

void wheel_run(struct wheel *wheel, uint64_t cycle, void *owner)
{
    while (wheel->next <= cycle) {
        move_to(wheel, wheel->next);
        uint32_t index = wheel->now % WHEEL_SLOTS;
        struct event *event;
        while ((event = take_first(wheel, index)) != NULL) {
            event->run(event, owner);
        }
        slot_clear_if_empty(wheel, index);
        update_next(wheel);
    }
    if (cycle > wheel->now) {
        move_to(wheel, cycle);
    }
}
