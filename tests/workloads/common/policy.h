/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The scheduling policy of a program's graph, and the predicate of its channel, as options. */
#ifndef SLUICE_WORKLOADS_COMMON_POLICY_H
#define SLUICE_WORKLOADS_COMMON_POLICY_H

#include <argp.h>
#include <stdbool.h>

#include "sluice/sluice.h"

/* A line of an argp option table. */
#define POLICY_OPTION(key)                                                                         \
    {                                                                                              \
        "policy", key, "NAME[:FLAG,...]", 0,                                                       \
            "Scheduling policy (default: flat, levelized for stacks)", 0                           \
    }

struct policy_option {
    bool is_given;
    enum sl_scheduler policy;
    uint32_t flags; /* enum sl_policy_flag */
};

/* The option's argument. What is no policy, or no flag of it, ends the program with a message that
 * lists those that there are. */
void policy_parse(const struct argp_state *state, const char *text, struct policy_option *option);

/* Makes it the policy of a graph, if the option was given. */
void policy_apply(struct sl_graph_builder *graph, const struct policy_option *option);

/* A line of an argp option table, and its argument's effect on the options of a channel. What is no
 * predicate, or no number from 0 to 2^32 - 1 behind it, ends the program with a message. */
#define PREDICATE_OPTION(key)                                                                      \
    {                                                                                              \
        "predicate", key, "NAME[:ARGUMENT]", 0,                                                    \
            "When elements are dispatched (default full; the argument's is 0)", 0                  \
    }
void predicate_parse(const struct argp_state *state, const char *text,
                     struct sl_channel_options *channel);

#endif
