/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Parts of a graph, by number or by address in shared memory, for messages; sentences for refused
 * graphs (hal/check/graph/graph_check.h): the node by its name, the value that was found, and what
 * would be right. The library's own check and the firmware's share them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/text.h"
#include "host/driver/graph/builder.h"
#include "host/driver/graph/refusal_text.h"
#include "host/driver/machine/machine.h"

struct sl_graph_builder *sl_graph_at(struct sl_soc *soc, uint64_t address)
{
    struct sl_graph_builder *graph = soc->graphs;
    while (graph != NULL && (uintptr_t)graph->shared != address) {
        graph = graph->next;
    }
    return address != 0 ? graph : NULL;
}

struct sl_graph_builder *sl_graph_next(const struct sl_graph_builder *graph)
{
    return graph->next;
}

const char *sl_graph_channel_name(const struct sl_graph_builder *graph, uint64_t channel)
{
    const bool has_name =
        graph != NULL && channel < graph->channel_count && graph->channels[channel].name[0] != '\0';
    return has_name ? graph->channels[channel].name : NULL;
}

/* sl_graph_stack() has put the level behind the name. */
void sl_graph_stack_name(const struct sl_graph_builder *graph, uint64_t channel, char *out,
                         size_t bytes)
{
    const char *const name = sl_graph_channel_name(graph, channel);
    char level[SL_GRAPH_NAME_BYTES];
    out[0] = '\0';
    if (name == NULL || graph->channels[channel].levels == 0) {
        return;
    }
    const int tail = snprintf(level, sizeof level, SL_GRAPH_LEVEL, graph->channels[channel].level);
    (void)snprintf(out, bytes, "%.*s", (int)strlen(name) - tail, name);
}

/* The kernel whose struct sl_kernel is at the address; -1 where it is none. */
static int64_t kernel_at(const struct sl_graph_builder *graph, uint64_t address)
{
    const uint64_t base = graph != NULL ? (uintptr_t)graph->shared_kernels : 0;
    const uint64_t index = (address - base) / sizeof(struct sl_kernel);
    return base != 0 && address >= base && index < graph->kernel_count ? (int64_t)index : -1;
}

const char *sl_graph_kernel_name_at(const struct sl_graph_builder *graph, uint64_t address)
{
    const int64_t index = kernel_at(graph, address);
    return index >= 0 ? graph->kernels[index].name : NULL;
}

const struct sl_edge *sl_graph_find_edge(const struct sl_graph_builder *graph,
                                         uint64_t kernel_address, uint64_t channel)
{
    const int64_t index = kernel_at(graph, kernel_address);
    for (uint32_t i = 0; index >= 0 && i < graph->edge_count; i++) {
        if (graph->edges[i].kernel == index && graph->edges[i].channel == channel) {
            return &graph->edges[i];
        }
    }
    return NULL;
}

static struct sl_graph_label label(const char *what, uint64_t number, const char *name)
{
    struct sl_graph_label label;
    (void)snprintf(label.text, sizeof label.text, "%s %" PRIu64, what, number);
    if (name != NULL) {
        sl_text_append(label.text, sizeof label.text, " '%s'", name);
    }
    return label;
}

struct sl_graph_label sl_graph_channel_label(const struct sl_graph_builder *graph, uint64_t channel)
{
    return label("channel", channel, sl_graph_channel_name(graph, channel));
}

struct sl_graph_label sl_graph_kernel_label(const struct sl_graph_builder *graph, uint64_t kernel)
{
    const bool is_there = graph != NULL && kernel < graph->kernel_count;
    return label("kernel", kernel, is_there ? graph->kernels[kernel].name : NULL);
}

static void edge_text(const struct sl_graph_builder *graph, uint32_t number, char *out,
                      size_t bytes)
{
    (void)snprintf(out, bytes, "edge %u", number);
    if (graph != NULL && number < graph->edge_count) {
        const struct sl_edge *const edge = &graph->edges[number];
        sl_text_append(out, bytes, " from %s to %s",
                       sl_graph_kernel_label(graph, edge->kernel).text,
                       sl_graph_channel_label(graph, edge->channel).text);
    }
}

static void guard_text(const struct sl_graph_builder *graph, uint32_t number, char *out,
                       size_t bytes)
{
    (void)snprintf(out, bytes, "guard %u", number);
    if (graph != NULL && number < graph->guard_count) {
        const struct sl_guard *const guard = &graph->guards[number];
        sl_text_append(out, bytes, " of %s, which looks at %s",
                       sl_graph_channel_label(graph, guard->channel).text,
                       sl_graph_channel_label(graph, guard->other).text);
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
    case SL_REFUSAL_OF_GUARD:
        guard_text(graph, refusal->node, out, bytes);
        break;
    default:
        (void)snprintf(out, bytes, "%s", sl_graph_channel_label(graph, refusal->node).text);
        break;
    }
}

/* Why flags are refused that exclude each other; NULL where one of them is none. */
static const char *exclusion(const struct sl_graph_refusal *refusal)
{
    const uint32_t layouts = SL_CHANNEL_PADDED | SL_CHANNEL_SOA;
    const uint32_t ways = SL_CHANNEL_WORKITEM | SL_CHANNEL_STAMPED;

    if (refusal->reason != SL_REFUSE_CHANNEL_VARIANT) {
        return NULL;
    }
    if ((refusal->value & layouts) == layouts) {
        return "SL_CHANNEL_PADDED and SL_CHANNEL_SOA exclude each other: in a structure of arrays "
               "an element has no place of its own that padding could keep apart; choose one";
    }
    if ((refusal->value & ways) == ways) {
        return "SL_CHANNEL_WORKITEM and SL_CHANNEL_STAMPED exclude each other: a stamp is for what "
               "a wavefront's lanes have reserved together; choose one";
    }
    return NULL;
}

void sl_graph_refusal_text(const struct sl_config *config, const struct sl_graph_builder *graph,
                           const struct sl_graph_refusal *refusal, char *out, size_t bytes)
{
    char node[3 * SL_GRAPH_NAME_BYTES + 64];
    node_text(graph, refusal, node, sizeof node);
    (void)snprintf(out, bytes, "%s: ", node);
    sl_refusal_explain(config, refusal, exclusion(refusal), out, bytes);
}
