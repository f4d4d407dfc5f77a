/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Guards: what another channel has to be like for the elements of a channel to go
 * (docs/know/scheduling.md, "Guards"). */
#include "host/driver/graph/builder.h"

void sl_graph_guard(struct sl_graph_builder *graph, int channel, enum sl_guard_kind kind, int other,
                    uint32_t argument)
{
    const char *const what = "sl_graph_guard";
    if (!sl_builder_is_open(graph, what) || !sl_builder_has_channel(graph, what, channel) ||
        !sl_builder_has_channel(graph, what, other)) {
        return;
    }
    if (graph->guard_count == SL_GRAPH_GUARDS) {
        sl_builder_error(graph, "the graph has %u guards; no more are possible",
                         graph->guard_count);
        return;
    }
    graph->guards[graph->guard_count++] =
        (struct sl_guard){(uint32_t)channel, (uint32_t)other, (uint32_t)kind, argument};
}
