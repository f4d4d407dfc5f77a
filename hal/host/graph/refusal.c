/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for refused graphs (hal/graph/check.h): the node by its name, the value that was found,
 * and what would be right. The library's own check and the firmware's share them. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "host/graph/builder.h"
#include "host/text/text.h"

static void edge_text(const struct sl_graph_builder *graph, uint32_t number, char *out,
                      size_t bytes)
{
    (void)snprintf(out, bytes, "edge %" PRIu32, number);
    if (graph != NULL && number < graph->edge_count) {
        const struct sl_edge *const edge = &graph->edges[number];
        sl_text_append(out, bytes, " from %s to %s",
                       sl_graph_kernel_label(graph, edge->kernel).text,
                       sl_graph_channel_label(graph, edge->channel).text);
    }
}

static void node_text(const struct sl_graph_builder *graph, const struct sl_graph_refusal *refusal,
                      char *out, size_t bytes)
{
    switch (sl_refusal_node(refusal->reason)) {
    case SL_REFUSAL_OF_GRAPH:
        (void)snprintf(out, bytes, "the graph");
        break;
    case SL_REFUSAL_OF_KERNEL:
        (void)snprintf(out, bytes, "%s", sl_graph_kernel_label(graph, refusal->node).text);
        break;
    case SL_REFUSAL_OF_EDGE:
        edge_text(graph, refusal->node, out, bytes);
        break;
    default:
        (void)snprintf(out, bytes, "%s", sl_graph_channel_label(graph, refusal->node).text);
        break;
    }
}

/* Whether flags are refused because they exclude each other, not because one is none. */
static bool is_exclusion(const struct sl_graph_refusal *refusal)
{
    const uint32_t layouts = SL_CHANNEL_PADDED | SL_CHANNEL_SOA;
    return refusal->reason == SL_REFUSE_CHANNEL_VARIANT && (refusal->value & layouts) == layouts;
}

void sl_graph_refusal_text(const struct sl_config *config, const struct sl_graph_builder *graph,
                           const struct sl_graph_refusal *refusal, char *out, size_t bytes)
{
    static const char exclusion[] =
        "SL_CHANNEL_PADDED and SL_CHANNEL_SOA exclude each other: in a structure of arrays an "
        "element has no place of its own that padding could keep apart; choose one";
    char node[3 * SL_GRAPH_NAME_BYTES + 64];
    node_text(graph, refusal, node, sizeof node);
    (void)snprintf(out, bytes, "%s: ", node);
    sl_refusal_explain(config, refusal, is_exclusion(refusal) ? exclusion : NULL, out, bytes);
}
