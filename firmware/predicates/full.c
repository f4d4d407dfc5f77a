/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Predicate full: as many full wavefronts as are ready (papers/001 section 3.1). */
#include "queues/predicate.h"

static uint32_t full(const struct channel_view *channel, uint32_t ready, uint32_t lanes,
                     void *state)
{
    (void)channel;
    (void)state;
    return ready & ~(lanes - 1);
}

const struct predicate predicate_full = {.function = full};
