/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Predicate at_least: all that is ready, once there are as many as the argument says. */
#include "queues/predicate.h"

static uint32_t at_least(const struct channel_view *channel, uint32_t ready, uint32_t lanes,
                         void *state)
{
    (void)lanes;
    (void)state;
    return ready >= channel->argument ? ready : 0;
}

const struct predicate predicate_at_least = {.function = at_least};
