/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The rarer parts of calendars. */
#include "mem/parts/calendar.h"

#include <string.h>

static void set_base(struct calendar *calendar, uint64_t base)
{
    uint64_t next = (base + CALENDAR_HISTORY + 64) >> calendar->shift;

    calendar->base = base;
    calendar->move_ps = next * calendar->clock.ps;
}

void calendar_reset(struct calendar *calendar, const struct sim_clock *clock, uint32_t shift)
{
    memset(calendar, 0, sizeof(*calendar));
    calendar->clock = *clock;
    calendar->shift = shift;
    set_base(calendar, 0);
}

void calendar_move(struct calendar *calendar, uint64_t now_ps)
{
    uint64_t now = sim_clock_before(&calendar->clock, now_ps) << calendar->shift;
    uint64_t base = (now - CALENDAR_HISTORY) & ~63ull;
    uint64_t words = (base - calendar->base) / 64;

    if (words >= CALENDAR_WORDS) {
        memset(calendar->taken, 0, sizeof(calendar->taken));
    } else {
        for (uint64_t word = calendar->base / 64; word < base / 64; word++) {
            calendar->taken[word % CALENDAR_WORDS] = 0;
        }
    }
    set_base(calendar, base);
}
