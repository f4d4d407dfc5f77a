/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A calendar of a clocked resource: which of its slots are taken.
 *
 * A resource that serves one thing per slot (a port of a cache, a bank, a link) is reserved by
 * time, not in the order of the calls: a request that arrives earlier than one that was handed in
 * before it takes a free slot before that one's. Slots are bits of a ring around the present:
 * CALENDAR_HISTORY slots back and the rest ahead. A request older than that takes the oldest slot;
 * one further ahead gets the slot that it asks for and leaves no trace, so contention that far
 * ahead costs nothing. */
#ifndef SLUICE_MEM_CALENDAR_H
#define SLUICE_MEM_CALENDAR_H

#include <stdint.h>

#include "engine/clock.h"

#define CALENDAR_WORDS   64u
#define CALENDAR_SLOTS   (CALENDAR_WORDS * 64u)
#define CALENDAR_HISTORY 1024u

struct calendar {
    struct sim_clock clock;
    uint64_t base;    /* first slot of the ring, a multiple of 64 */
    uint64_t move_ps; /* the present from which on the ring can move */
    uint32_t shift;   /* 2^shift slots per clock cycle */
    uint64_t taken[CALENDAR_WORDS];
};

/* Empties a calendar whose resource serves 2^shift things per cycle of the clock. */
void calendar_reset(struct calendar *calendar, const struct sim_clock *clock, uint32_t shift);

/* Moves the ring to the present, which is not before move_ps. */
void calendar_move(struct calendar *calendar, uint64_t now_ps);

/* Takes the first free slot from one on, and returns it. `now_ps` is the present: the time of the
 * request that all this belongs to. */
static inline uint64_t calendar_take_slot(struct calendar *calendar, uint64_t slot, uint64_t now_ps)
{
    if (slot - calendar->base >= CALENDAR_SLOTS && now_ps >= calendar->move_ps) {
        calendar_move(calendar, now_ps);
    }
    for (;;) {
        if (slot < calendar->base) {
            slot = calendar->base;
        }
        uint64_t limit = calendar->base / 64 + CALENDAR_WORDS;
        uint64_t mask = UINT64_MAX << slot % 64;
        for (uint64_t word = slot / 64; word < limit; word++) {
            uint64_t free = ~calendar->taken[word % CALENDAR_WORDS] & mask;
            if (free != 0) {
                calendar->taken[word % CALENDAR_WORDS] |= free & -free;
                return word * 64 + (uint64_t)__builtin_ctzll(free);
            }
            mask = UINT64_MAX;
            slot = (word + 1) * 64;
        }
        if (now_ps < calendar->move_ps) {
            return slot;
        }
        calendar_move(calendar, now_ps);
    }
}

/* Takes the first free slot not before a time. Returns its time in ps, a clock edge. */
static inline uint64_t calendar_take(struct calendar *calendar, uint64_t time_ps, uint64_t now_ps)
{
    uint64_t slot = sim_clock_after(&calendar->clock, time_ps) << calendar->shift;

    return (calendar_take_slot(calendar, slot, now_ps) >> calendar->shift) * calendar->clock.ps;
}

/* Takes `count` slots for a thing that comes in parts, each behind the one before, and returns the
 * last; the first one goes to *first. */
static inline uint64_t calendar_take_parts(struct calendar *calendar, uint64_t slot,
                                           uint64_t now_ps, uint32_t count, uint64_t *first)
{
    uint64_t last = calendar_take_slot(calendar, slot, now_ps);

    *first = last;
    for (uint32_t i = 1; i < count; i++) {
        last = calendar_take_slot(calendar, last + 1, now_ps);
    }
    return last;
}

#endif
