/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Cycles: a stage that takes so many instructions per cycle, in program order. */
#ifndef SLUICE_AGGREGATOR_SLOTS_H
#define SLUICE_AGGREGATOR_SLOTS_H

#include <stdint.h>

#include "engine/clock.h"

struct slots {
    uint64_t cycle; /* of the last one */
    uint32_t used;  /* in that cycle */
};

/* The cycle in which the next instruction would get a slot, at `earliest` or later. */
static inline uint64_t slots_next(const struct slots *slots, uint64_t earliest, uint32_t width)
{
    uint64_t next = slots->cycle + (slots->used >= width);
    return later(earliest, next);
}

/* Gives it that slot. */
static inline uint64_t slots_take(struct slots *slots, uint64_t earliest, uint32_t width)
{
    uint64_t cycle = slots_next(slots, earliest, width);

    slots->used = cycle == slots->cycle ? slots->used + 1 : 1;
    slots->cycle = cycle;
    return cycle;
}

/* Nothing more before this cycle. */
static inline void slots_delay(struct slots *slots, uint64_t cycle)
{
    if (cycle > slots->cycle) {
        slots->cycle = cycle;
        slots->used = 0;
    }
}

#endif
