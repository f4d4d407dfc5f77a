/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Windows of completed wavefronts, and what the search for a bound is told of them. */
#include "queues/throttle.h"

#include <stddef.h>

#include "aggregator/device.h"

/* Where a search begins, and the least that it tries. */
#define FIRST_BOUND 32u
#define LEAST_BOUND 8u

/* Wavefronts of a window: half of those in flight, but enough to be more than chance. */
#define WINDOW_LEAST 32u

/* Wavefronts that end sooner are many for the firmware, which takes a few microseconds to replace
 * one: then it is not memory that limits, and more in flight bridge the gaps. */
#define SHORT_NS 32768u

void throttle_init(struct throttle *throttle, uint32_t bound)
{
    *throttle = (struct throttle){.bound = bound};
}

/* The device does nothing on it but for statistics. */
static void note(const struct throttle *throttle)
{
    const uint64_t tries = hill_climb_is_trying(&throttle->climb) ? SL_THROTTLE_TRIES : 0;

    agg_register_write(SL_REG_THROTTLE, tries | (uint64_t)throttle->kernel << 32 | throttle->bound);
}

void throttle_search(struct throttle *throttle, uint32_t kernel, uint32_t contexts,
                     struct throttle *other)
{
    const uint32_t first = FIRST_BOUND < contexts ? FIRST_BOUND : contexts;
    const uint32_t least = LEAST_BOUND < first ? LEAST_BOUND : first;

    hill_climb_init(&throttle->climb, least, first, contexts);
    throttle->is_searching = true;
    throttle->kernel = kernel;
    throttle->next = throttle;
    if (other != NULL) {
        throttle->next = other->next;
        other->next = throttle;
    }
    throttle->bound = first;
    note(throttle);
}

static void set(struct throttle *throttle)
{
    throttle->is_open = false;
    if (throttle->bound != throttle->climb.bound) {
        throttle->bound = throttle->climb.bound;
        throttle->settling = throttle->in_flight;
        note(throttle);
    }
}

/* Kernels of which nothing is known yet begin where this one is: they run on the same machine. */
static void spread(const struct throttle *from)
{
    for (struct throttle *to = from->next; to != from; to = to->next) {
        if (!to->has_measured) {
            to->climb.best = from->climb.best;
            to->climb.bound = from->climb.best;
            set(to);
        }
    }
}

static void end_window(struct throttle *throttle)
{
    struct hill_climb *const climb = &throttle->climb;
    const bool is_short = throttle->busy_ns < (uint64_t)throttle->wavefronts * SHORT_NS;

    throttle->has_measured = true;
    if (is_short && !hill_climb_is_trying(climb) && climb->best < climb->most) {
        hill_climb_widen(climb);
    } else {
        hill_climb_window(climb, (throttle->work << 14) / (throttle->busy_ns + 1));
    }
    set(throttle);
    spread(throttle);
}

/* Windows are of wavefronts that ran at one bound, and of times in which it was what limited. */
void throttle_measure(struct throttle *throttle, uint32_t in_flight,
                      const struct sl_completion *record)
{
    const uint32_t bound = throttle->bound;
    const uint32_t wavefronts = record->wavefronts;

    if (throttle->settling > 0) {
        throttle->settling -= wavefronts < throttle->settling ? wavefronts : throttle->settling;
        return;
    }
    if (in_flight < bound / 2) {
        hill_climb_starve(&throttle->climb);
        set(throttle);
        return;
    }
    if (!throttle->is_open) {
        throttle->is_open = true;
        throttle->wavefronts = 0;
        throttle->busy_ns = 0;
        throttle->work = 0;
    }
    throttle->wavefronts += wavefronts;
    throttle->busy_ns += record->busy_ns;
    throttle->work += (uint64_t)record->accesses * in_flight;
    if (throttle->wavefronts >= (bound / 2 > WINDOW_LEAST ? bound / 2 : WINDOW_LEAST)) {
        end_window(throttle);
    }
}
