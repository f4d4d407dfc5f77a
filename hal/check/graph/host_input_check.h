/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Checks what the host puts into an open graph (SL_HOST_ENQ; docs/know/design.md, "Open graphs"),
 * for host library and firmware. */
#ifndef SLUICE_CHECK_GRAPH_HOST_INPUT_CHECK_H
#define SLUICE_CHECK_GRAPH_HOST_INPUT_CHECK_H

#include "check/graph/refusal.h"
#include "sluice/layouts.h"

/* The most elements of `bytes` that may be put into a channel at once. When nothing is left to do,
 * all space of a channel is free but for a part of one done-count group: so this many find space
 * sooner or later. */
uint32_t sl_host_input_count_max(const struct sl_channel *channel, uint64_t bytes);

/* What elements for a channel are compared with. */
struct sl_host_input_shape {
    uint32_t width;
    uint32_t stride;
    uint32_t done_shift;
    uint32_t flags; /* of enum sl_channel_flag */
};

/* Checks a message ENQ for a graph of so many channels: the number of the channel that it is for.
 * Returns 0; or -1 with *refusal filled. */
int sl_host_input_check_channel(uint32_t channel_count, const struct sl_message_host *message,
                                struct sl_graph_refusal *refusal);

/* Checks the rest of it, where the channel has this shape. */
int sl_host_input_check_elements(const struct sl_host_input_shape *shape,
                                 const struct sl_message_host *message,
                                 const struct sl_graph_limits *limits,
                                 struct sl_graph_refusal *refusal);

/* Both, for a graph in shared memory that has passed sl_graph_check(). */
int sl_host_input_check(const struct sl_graph *graph, const struct sl_message_host *message,
                        const struct sl_graph_limits *limits, struct sl_graph_refusal *refusal);

/* Its arguments (hal/contract/codes.def). */
enum sl_host_input_argument {
    SL_FEED_TIME,
    SL_FEED_CHANNEL,
    SL_FEED_COUNT,
    SL_FEED_ADDRESS,
    SL_FEED_ELEMENT_BYTES,
    SL_FEED_WHEN_FULL
};

#endif
