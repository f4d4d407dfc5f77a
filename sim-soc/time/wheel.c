/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Timing wheel: one list pair per cycle, found through a two-level bitmap. */
#include "time/wheel.h"

#include <stddef.h>
#include <string.h>

_Static_assert(WHEEL_SLOTS == 64 * 64, "one summary word covers the bitmap");

void wheel_init(struct wheel *wheel)
{
    memset(wheel, 0, sizeof(*wheel));
    wheel->next = WHEEL_NEVER;
}

static void slot_append(struct wheel *wheel, struct event *event)
{
    uint32_t index = event->cycle % WHEEL_SLOTS;
    struct wheel_list *list = &wheel->slot[index][event->rank];

    event->next = NULL;
    if (list->first == NULL) {
        list->first = event;
    } else {
        list->last->next = event;
    }
    list->last = event;
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

static void far_insert(struct wheel *wheel, struct event *event)
{
    struct event **place = &wheel->far;

    while (*place != NULL && (*place)->cycle <= event->cycle) {
        place = &(*place)->next;
    }
    event->next = *place;
    *place = event;
}

void wheel_insert(struct wheel *wheel, struct event *event, uint64_t cycle)
{
    event->cycle = cycle < wheel->now ? wheel->now : cycle;
    event->queued = true;
    if (event->cycle - wheel->now < WHEEL_SLOTS) {
        slot_append(wheel, event);
    } else {
        far_insert(wheel, event);
    }
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

static void update_next(struct wheel *wheel)
{
    wheel->next = slots_next(wheel);
    if (wheel->far != NULL && wheel->far->cycle < wheel->next) {
        wheel->next = wheel->far->cycle;
    }
}

void wheel_remove(struct wheel *wheel, struct event *event)
{
    if (!event->queued) {
        return;
    }
    event->queued = false;
    if (event->cycle - wheel->now >= WHEEL_SLOTS) {
        struct event **place = &wheel->far;
        while (*place != event) {
            place = &(*place)->next;
        }
        *place = event->next;
        update_next(wheel);
        return;
    }
    uint32_t index = event->cycle % WHEEL_SLOTS;
    struct wheel_list *list = &wheel->slot[index][event->rank];
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
    slot_clear_if_empty(wheel, index);
    update_next(wheel);
}

/* Moves the wheel to a cycle and takes in what came within its reach. */
static void move_to(struct wheel *wheel, uint64_t cycle)
{
    wheel->now = cycle;
    while (wheel->far != NULL && wheel->far->cycle - cycle < WHEEL_SLOTS) {
        struct event *event = wheel->far;
        wheel->far = event->next;
        slot_append(wheel, event);
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
