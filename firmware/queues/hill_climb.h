/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Hill climbing (docs/know/scheduling.md, "Throttle"): finds the bound at which most gets done,
 * from nothing but the rate at which it got done in one window after the other. It rests at the
 * best bound known and tries a neighbour now and again: after each success at once, after each
 * failure more rarely. What runs changes as well: so a neighbour counts as better only where it was
 * better than the best bound before and after. Integers alone, and no clock: equal windows give
 * equal bounds. */
#ifndef SLUICE_FIRMWARE_QUEUES_HILL_CLIMB_H
#define SLUICE_FIRMWARE_QUEUES_HILL_CLIMB_H

#include <stdbool.h>
#include <stdint.h>

enum hill_climb_state {
    CLIMB_REST, /* at the best bound */
    CLIMB_TRY,  /* at a neighbour of it */
    CLIMB_BACK, /* at the best one again, since the neighbour was better than before */
};

struct hill_climb {
    uint32_t least; /* of the bound */
    uint32_t most;
    uint32_t bound;
    uint32_t best;
    uint64_t best_rate; /* in the last window at the best bound */
    uint64_t tried_rate;
    enum hill_climb_state state;
    bool is_upwards;   /* the neighbour that is tried, or is next */
    uint32_t patience; /* windows of rest between two tries */
    uint32_t rested;   /* of them, so far */
};

/* Begins at `first`; bounds stay from `least` to `most`. 0 < least <= first <= most. */
void hill_climb_init(struct hill_climb *climb, uint32_t least, uint32_t first, uint32_t most);

/* A window at climb->bound is over: what was done in it by the unit of time, below 2^60. Sets the
 * next bound. */
void hill_climb_window(struct hill_climb *climb, uint64_t rate);

/* Goes on from twice the best bound. */
void hill_climb_widen(struct hill_climb *climb);

/* There is not enough to do at climb->bound: gives up a try. */
void hill_climb_starve(struct hill_climb *climb);

static inline bool hill_climb_is_trying(const struct hill_climb *climb)
{
    return climb->bound != climb->best;
}

#endif
