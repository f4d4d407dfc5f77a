/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A graph before and after a run of it. */
#include <inttypes.h>
#include <stdlib.h>

#include "graph/channels.h"
#include "host/graph/nodes.h"
#include "host/machine/machine.h"

struct sl_soc *sl_graph_soc(const struct sl_graph_builder *graph)
{
    return graph->soc;
}

enum sl_status sl_graph_check_filled(struct sl_graph_builder *graph)
{
    if (graph->is_broken) {
        return sl_soc_fail(
            graph->soc, SL_ERROR_USAGE,
            "this graph did not complete when it was executed, its channels hold what "
            "was left; make a new one");
    }
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        if (graph->channels[i].pending != 0) {
            return sl_soc_fail(graph->soc, SL_ERROR_USAGE,
                               "%s: %" PRIu64 " elements were allocated and not enqueued; call "
                               "sl_graph_enq() before executing",
                               sl_graph_channel_label(graph, i).text, graph->channels[i].pending);
        }
    }
    return SL_OK;
}

void sl_graph_mark(struct sl_graph_builder *graph)
{
    const struct sl_channel *const channels = sl_graph_channels(graph->shared);
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        graph->dispatched[i] = channels[i].control_head;
    }
}

struct sl_footprint sl_graph_footprint(const struct sl_graph_builder *graph)
{
    const struct sl_channel *const channels = sl_graph_channels(graph->shared);
    uint64_t *const elements = calloc(graph->channel_count, sizeof *elements);
    struct sl_footprint footprint = {0, 0};
    for (uint32_t i = 0; elements != NULL && i < graph->channel_count; i++) {
        elements[i] = channels[i].control_tail - graph->dispatched[i];
    }
    if (elements != NULL) {
        footprint = sl_footprint(channels, graph->channel_count, elements);
    }
    free(elements);
    return footprint;
}

void sl_graph_set_broken(struct sl_graph_builder *graph)
{
    graph->is_broken = true;
}
