/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Predicate age: full wavefronts; all, once the oldest element has waited for as many microseconds
 * as the argument says. Full wavefronts go at once, so that what remains is younger than a pass:
 * its age counts from now. */
#include <assert.h>

#include "aggregator/device.h"
#include "queues/predicate.h"

#define PS_PER_US 1000000ull

struct age {
    uint64_t since_ps; /* when the oldest ready element was first seen, */
    bool is_waiting;   /* if there is one */
};

static_assert(sizeof(struct age) <= PREDICATE_STATE_BYTES, "fits what the firmware keeps for it");

static uint32_t age(const struct channel_view *channel, uint32_t ready, uint32_t lanes, void *state)
{
    struct age *const oldest = state;
    const uint32_t full = ready & ~(lanes - 1);
    const uint64_t time_ps = agg_register_read(SL_REG_TIME_PS);

    if (full == ready) {
        oldest->is_waiting = false;
        return full;
    }
    if (full > 0 || !oldest->is_waiting) {
        oldest->since_ps = time_ps;
        oldest->is_waiting = true;
    }
    if (time_ps - oldest->since_ps >= channel->argument * PS_PER_US) {
        oldest->is_waiting = false;
        return ready;
    }
    return full;
}

const struct predicate predicate_age = {.function = age, .is_timed = true};
