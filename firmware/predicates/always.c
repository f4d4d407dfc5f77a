/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Predicate always: all that is ready. */
#include "queues/predicate.h"

static uint32_t always(const struct channel_view *channel, uint32_t ready, uint32_t lanes,
                       void *state)
{
    (void)channel;
    (void)lanes;
    (void)state;
    return ready;
}

const struct predicate predicate_always = {.function = always};
