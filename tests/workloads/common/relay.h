/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The relay graph: a small graph whose every step is known beforehand, for tests of the machine.
 *
 * One channel, one kernel. A few runners each put in `fan_out` elements per round: the next runner
 * and what it carries along. Few elements are alive at a time, however many pass through, so that a
 * channel of the least width is passed many times; and which elements lie in the slack behind the
 * data array (docs/know/design.md, "Wrap") follows from the counters alone. */
#ifndef SLUICE_WORKLOADS_COMMON_RELAY_H
#define SLUICE_WORKLOADS_COMMON_RELAY_H

#include "sluice/argument.h"
#include "sluice/sluice.h"
#include "workloads/common/relay_element.h"

struct relay_options {
    uint32_t width;
    uint32_t fan_out;
    uint32_t runners; /* at most fan_out */
    uint32_t rounds;  /* of each runner, in each execution */
    struct sl_channel_options channel;
    struct sl_app_policy policy;
};

#define RELAY_DEFAULT                                                                              \
    {                                                                                              \
        .width = 64, .fan_out = 3, .runners = 3, .rounds = 500,                                    \
        .channel = {.name = "relay", .done_group = 4, .flags = SL_CHANNEL_NARROW},                 \
    }
extern const struct relay_options relay_default;

struct relay {
    struct relay_options options;
    struct sl_soc *soc;
    struct sl_graph_builder *graph;
    struct relay_result *result; /* in shared memory */
    struct relay_result wanted;  /* of the last execution */
    int channel;
    uint64_t passed; /* elements in all executions so far */
};

/* Builds and prepares the graph from a module that has relay_kernel. */
SL_MUST_USE enum sl_status relay_build(struct relay *relay, struct sl_module *module,
                                       struct sl_soc *soc, const struct relay_options *options);

/* Puts the runners in, executes, and waits for at most 60 s. Returns SL_OK with *is_right set, or
 * the status of the call that failed, with its message in the machine object. It is right where
 * sum, number of elements, elements in the slack, and the counters of the channel are what they
 * have to be; what is not is printed on standard error. */
SL_MUST_USE enum sl_status relay_run(struct relay *relay, int *is_right);

#endif
