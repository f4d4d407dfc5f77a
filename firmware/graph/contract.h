/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is checked of a policy's contract (struct scheduler), in each pass: enum sl_contract. What
 * it chooses is believed no further than that. */
#ifndef SLUICE_FIRMWARE_GRAPH_CONTRACT_H
#define SLUICE_FIRMWARE_GRAPH_CONTRACT_H

#include "graph/guard.h"
#include "graph/scheduler.h"

/* Whether a choice is one of ready elements that guards let go. */
static inline bool policy_keeps(const struct run *run, const struct choice *choice)
{
    if (choice->channel >= run->channel_count) {
        return false;
    }
    const struct channel *const channel = &run->channels[choice->channel];
    return choice->count - 1 < channel_ready(channel) &&
           (channel->guards == NULL || guard_dispatched(channel, choice->count));
}

/* Which rule a choice broke, for the answer. */
void policy_describe(const struct run *run, const struct choice *choice,
                     struct sl_message_agg *answer);

/* It broke this rule, which the run ends for. */
void policy_breaks(enum sl_contract rule, uint64_t channel, uint64_t said, uint64_t allowed,
                   struct sl_message_agg *answer);

/* Nothing is in flight, and nothing was done in a pass: because wavefronts wait for space that
 * cannot become free, or the policy's fault. */
void policy_stands_still(const struct run *run, struct sl_message_agg *answer);

#endif
