/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The rarer parts of calendars. */
#include "mem/calendar.h"

#include <string.h>

void calendar_reset(struct calendar *calendar, const struct mem_clock *clock, uint32_t shift)
{
    memset(calendar, 0, sizeof(*calendar));
    calendar->clock = *clock;
    calendar->shift = shift;
}

uint64_t calendar_move(struct calendar *calendar, uint64_t slot, uint64_t now_ps)
{
    uint64_t now = mem_clock_before(&calendar->clock, now_ps) << calendar->shift;
    uint64_t base = now < CALENDAR_HISTORY ? 0 : (now - CALENDAR_HISTORY) & ~63ull;

    if (base > calendar->base) {
        uint64_t words = (base - calendar->base) / 64;
        if (words >= CALENDAR_WORDS) {
            memset(calendar->taken, 0, sizeof(calendar->taken));
        } else {
            for (uint64_t word = calendar->base / 64; word < base / 64; word++) {
                calendar->taken[word % CALENDAR_WORDS] = 0;
            }
        }
        calendar->base = base;
    }
    return slot < calendar->base ? calendar->base : slot;
}

uint64_t calendar_take_beyond(struct calendar *calendar, uint64_t slot, uint64_t now_ps)
{
    const uint64_t base = calendar->base;

    slot = calendar_move(calendar, slot, now_ps);
    return calendar->base == base ? slot : calendar_take_slot(calendar, slot, now_ps);
}
