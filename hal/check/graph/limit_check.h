/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a kernel's lanes may put into each channel: its edges, in the order in which the channel
 * routines look it up (hal/kernel/channel_routines.S). The host library lays the tables out, and
 * the graph check, here and in the firmware, finds out whether they say what the edges say. */
#ifndef SLUICE_CHECK_GRAPH_LIMIT_CHECK_H
#define SLUICE_CHECK_GRAPH_LIMIT_CHECK_H

#include <stdint.h>

#include "sluice/layouts.h"

/* Writes one entry for each channel of the graph to limits[]: for a channel to which the kernel of
 * this index has edges, the largest of their fan-outs and the channel's way of reserving; for
 * another one 0 and SL_RESERVE_NONE. The graph's edges name channels that it has. */
void sl_graph_limits(const struct sl_graph *graph, uint32_t kernel, struct sl_limit *limits);

#endif
