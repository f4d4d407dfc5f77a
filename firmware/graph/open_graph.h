/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The passes of an open graph's run (docs/know/design.md, "Open graphs"). */
#ifndef SLUICE_FIRMWARE_GRAPH_OPEN_GRAPH_H
#define SLUICE_FIRMWARE_GRAPH_OPEN_GRAPH_H

#include "graph/host_input.h"
#include "graph/scheduler.h"

/* Passes until the graph has ended, as struct run_kind says: those of its policy once it is closed.
 */
enum sl_message_agg_type open_passes(struct run *run, struct host_input *input,
                                     struct sl_message_agg *answer);

#endif
