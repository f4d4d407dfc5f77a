/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Predicate patient: full wavefronts; all, once it has been asked as many times as the argument
 * says without letting any go. */
#include <assert.h>

#include "queues/predicate.h"

struct patience {
    uint32_t asked; /* in vain */
};

static_assert(sizeof(struct patience) <= PREDICATE_STATE_BYTES, "fits what firmware keeps for it");

static uint32_t patient(const struct channel_view *channel, uint32_t ready, uint32_t lanes,
                        void *state)
{
    struct patience *const patience = state;
    const uint32_t full = ready & ~(lanes - 1);

    if (full == 0 && ++patience->asked <= channel->argument) {
        return 0;
    }
    patience->asked = 0;
    return full > 0 ? full : ready;
}

const struct predicate predicate_patient = {.function = patient};
