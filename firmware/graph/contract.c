/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Policies that break their contract. */
#include "graph/contract.h"

void policy_breaks(enum sl_contract rule, uint64_t channel, uint64_t said, uint64_t allowed,
                   struct sl_message_agg *answer)
{
    answer->reason = SL_FAILURE_POLICY;
    answer->argument[0] = rule;
    answer->argument[1] = channel;
    answer->argument[2] = said;
    answer->argument[3] = allowed;
}

void policy_describe(const struct run *run, const struct choice *choice,
                     struct sl_message_agg *answer)
{
    if (choice->channel >= run->channel_count) {
        policy_breaks(SL_CONTRACT_CHANNEL, choice->channel, choice->channel, run->channel_count,
                      answer);
        return;
    }
    const struct channel *const channel = &run->channels[choice->channel];
    const uint32_t ready = channel_ready(channel);
    if (choice->count == 0 || choice->count > ready) {
        policy_breaks(SL_CONTRACT_COUNT, choice->channel, choice->count, ready, answer);
    } else {
        policy_breaks(SL_CONTRACT_GUARD, choice->channel, choice->count, channel->guards->chosen,
                      answer);
    }
}

void policy_stands_still(const struct run *run, struct sl_message_agg *answer)
{
    if (run->yield.waiting > 0) {
        answer->reason = SL_FAILURE_STUCK;
        yield_describe(&run->yield, run->channels, answer->argument);
        return;
    }
    policy_breaks(SL_CONTRACT_END, 0, 0, 0, answer);
    for (uint32_t i = 0; i < run->channel_count; i++) {
        const bool is_new = channel_poll(&run->channels[i]);
        const uint32_t ready = channel_ready(&run->channels[i]);
        if (run_is_unbalanced(run, answer)) {
            return;
        }
        if (is_new) {
            policy_breaks(SL_CONTRACT_POLL, i, 0, ready, answer);
            return;
        }
        const uint32_t free = guard_ready(run, &run->channels[i]);
        if (free > 0) {
            policy_breaks(SL_CONTRACT_DRAINED, i, 0, free, answer);
            return;
        }
        if (ready > 0) {
            answer->reason = SL_FAILURE_GUARDS;
            answer->argument[0] = i;
            answer->argument[1] = ready;
        }
    }
}
