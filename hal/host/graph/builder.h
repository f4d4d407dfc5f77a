/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the files that add to a graph share. */
#ifndef SLUICE_HOST_BUILDER_H
#define SLUICE_HOST_BUILDER_H

#include "host/graph/nodes.h"

/* Notes a mistake, printf-style; of several the first counts. */
void sl_builder_error(struct sl_graph_builder *graph, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether nodes and edges may still be added; whether there is such a channel. `what` is the call
 * that wants to know: its mistake is noted. */
bool sl_builder_is_open(struct sl_graph_builder *graph, const char *what);
bool sl_builder_has_channel(struct sl_graph_builder *graph, const char *what, int channel);

/* sl_graph_output(), for a channel that is `level_offset` levels below the kernel's own. */
void sl_builder_output(struct sl_graph_builder *graph, int kernel, int channel, uint32_t fan_out,
                       uint32_t level_offset);

#endif
