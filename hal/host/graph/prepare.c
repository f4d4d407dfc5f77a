/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The end of building: what the builder alone can say well is said here, then the graph is placed.
 */
#include <inttypes.h>

#include "host/graph/builder.h"
#include "host/graph/place.h"
#include "host/machine/machine.h"

/* The shared check sees only numbers. */
static void check_nodes(struct sl_graph_builder *graph)
{
    if (graph->channel_count == 0 || graph->kernel_count == 0) {
        sl_builder_error(graph,
                         "the graph has %" PRIu32 " channels and %" PRIu32
                         " kernels; it needs at least one of each",
                         graph->channel_count, graph->kernel_count);
    }
    uint64_t used = 0;
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        if (graph->channels[i].kernel < 0) {
            sl_builder_error(
                graph,
                "%s is not connected to a kernel: nothing would consume its elements; call "
                "sl_graph_connect()",
                sl_graph_channel_label(graph, i).text);
        } else {
            used |= 1ull << graph->channels[i].kernel;
        }
    }
    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        if ((used >> i & 1) == 0) {
            sl_builder_error(graph,
                             "kernel %" PRIu32
                             " '%s' is not connected to a channel: nothing would start "
                             "it; call sl_graph_connect()",
                             i, graph->kernels[i].name);
        }
    }
}

enum sl_status sl_graph_prepare(struct sl_graph_builder *graph)
{
    if (graph->shared == NULL) {
        check_nodes(graph);
    }
    if (graph->error[0] != '\0') {
        return sl_soc_fail(graph->soc, SL_ERROR_USAGE, "%s", graph->error);
    }
    return graph->shared != NULL ? SL_OK : sl_graph_place(graph);
}
