/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Hill climbing, a window at a time. */
#include "queues/hill_climb.h"

/* By which part of itself, as a shift, a rate has to grow for that to count. */
#define GAIN_SHIFT 4u

/* Windows of rest between two tries; doubled by each that is in vain. */
#define PATIENCE_LEAST 1u
#define PATIENCE_MOST  16u

void hill_climb_init(struct hill_climb *climb, uint32_t least, uint32_t first, uint32_t most)
{
    *climb = (struct hill_climb){
        .least = least,
        .most = most,
        .bound = first,
        .best = first,
        .patience = PATIENCE_LEAST,
    };
}

static void rest(struct hill_climb *climb)
{
    climb->state = CLIMB_REST;
    climb->bound = climb->best;
    climb->rested = 0;
}

static void in_vain(struct hill_climb *climb)
{
    climb->is_upwards = !climb->is_upwards;
    climb->patience = climb->patience < PATIENCE_MOST ? 2 * climb->patience : PATIENCE_MOST;
    rest(climb);
}

/* Up by half or down by a third, which are each other's inverse. */
static uint32_t neighbour(const struct hill_climb *climb)
{
    const uint32_t best = climb->best;
    const uint32_t above = best + (best + 1) / 2;
    const uint32_t below = best - (best + 2) / 3;

    if (climb->is_upwards) {
        return above < climb->most ? above : climb->most;
    }
    return below > climb->least ? below : climb->least;
}

static void end_rest(struct hill_climb *climb, uint64_t rate)
{
    climb->best_rate = rate;
    climb->rested++;
    if (climb->rested < climb->patience || climb->least == climb->most) {
        return;
    }
    if (neighbour(climb) == climb->best) {
        climb->is_upwards = !climb->is_upwards;
    }
    climb->state = CLIMB_TRY;
    climb->bound = neighbour(climb);
}

static bool is_gain(uint64_t rate, uint64_t from)
{
    return rate > from + (from >> GAIN_SHIFT);
}

void hill_climb_window(struct hill_climb *climb, uint64_t rate)
{
    switch (climb->state) {
    case CLIMB_REST:
        end_rest(climb, rate);
        break;
    case CLIMB_TRY:
        if (is_gain(rate, climb->best_rate)) {
            climb->tried_rate = rate;
            climb->state = CLIMB_BACK;
            climb->bound = climb->best;
        } else {
            in_vain(climb);
        }
        break;
    case CLIMB_BACK:
        if (is_gain(climb->tried_rate, rate)) {
            climb->best = neighbour(climb);
            climb->patience = PATIENCE_LEAST;
            rest(climb);
        } else {
            in_vain(climb);
        }
        break;
    }
}

void hill_climb_widen(struct hill_climb *climb)
{
    climb->best = climb->best < climb->most / 2 ? 2 * climb->best : climb->most;
    rest(climb);
}

void hill_climb_starve(struct hill_climb *climb)
{
    if (hill_climb_is_trying(climb)) {
        rest(climb);
    }
}
