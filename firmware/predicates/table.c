/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The built-in predicates. Lanes are a power of two. */
#include "core/predicate.h"

#include "agg/device.h"

#define PS_PER_US 1000000ull

static uint32_t full(struct channel *channel, uint32_t ready, uint32_t lanes)
{
    (void)channel;
    return ready & ~(lanes - 1);
}

static uint32_t at_least(struct channel *channel, uint32_t ready, uint32_t lanes)
{
    (void)lanes;
    return ready >= channel->predicate_argument ? ready : 0;
}

/* Full wavefronts go at once, so that what remains is younger than a pass: its age counts from now.
 */
static uint32_t age(struct channel *channel, uint32_t ready, uint32_t lanes)
{
    const uint32_t now = full(channel, ready, lanes);
    const uint64_t time_ps = agg_register_read(SL_REG_TIME_PS);

    if (now == ready) {
        channel->since_ps = CHANNEL_SINCE_NONE;
        return now;
    }
    if (now > 0 || channel->since_ps == CHANNEL_SINCE_NONE) {
        channel->since_ps = time_ps;
    }
    if (time_ps - channel->since_ps >= channel->predicate_argument * PS_PER_US) {
        channel->since_ps = CHANNEL_SINCE_NONE;
        return ready;
    }
    return now;
}

static uint32_t always(struct channel *channel, uint32_t ready, uint32_t lanes)
{
    (void)channel;
    (void)lanes;
    return ready;
}

const struct predicate predicate_table[] = {
    [SL_PREDICATE_FULL] = {full, false},
    [SL_PREDICATE_AT_LEAST] = {at_least, false},
    [SL_PREDICATE_AGE] = {age, true},
    [SL_PREDICATE_ALWAYS] = {always, false},
};
