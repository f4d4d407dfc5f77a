/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Parts of a graph, by number or by address in shared memory, for messages. */
#include <inttypes.h>
#include <stdio.h>

#include "graph/channels.h"
#include "host/graph/builder.h"
#include "host/machine/machine.h"
#include "host/text/text.h"

struct sl_graph_builder *sl_graph_at(struct sl_soc *soc, uint64_t address)
{
    struct sl_graph_builder *graph = soc->graphs;
    while (graph != NULL && (uintptr_t)graph->shared != address) {
        graph = graph->next;
    }
    return address != 0 ? graph : NULL;
}

const char *sl_graph_channel_name(const struct sl_graph_builder *graph, uint64_t channel)
{
    const bool has_name =
        graph != NULL && channel < graph->channel_count && graph->channels[channel].name[0] != '\0';
    return has_name ? graph->channels[channel].name : NULL;
}

/* Index of the kernel whose struct sl_kernel is at the address; kernel_count where it is none. */
static uint64_t kernel_at(const struct sl_graph_builder *graph, uint64_t address)
{
    const uint64_t base = (uintptr_t)graph->shared_kernels;
    const uint64_t index = (address - base) / sizeof(struct sl_kernel);
    return base != 0 && address >= base && index < graph->kernel_count ? index
                                                                       : graph->kernel_count;
}

const char *sl_graph_kernel_name_at(const struct sl_graph_builder *graph, uint64_t address)
{
    const uint64_t index = graph != NULL ? kernel_at(graph, address) : 0;
    return graph != NULL && index < graph->kernel_count ? graph->kernels[index].name : NULL;
}

const struct sl_channel *sl_graph_find_channel(const struct sl_graph_builder *graph,
                                               uint64_t channel)
{
    const bool is_there = graph != NULL && graph->shared != NULL && channel < graph->channel_count;
    return is_there ? &sl_graph_channels(graph->shared)[channel] : NULL;
}

const struct sl_edge *sl_graph_find_edge(const struct sl_graph_builder *graph,
                                         uint64_t kernel_address, uint64_t channel)
{
    const uint64_t index = graph != NULL ? kernel_at(graph, kernel_address) : 0;
    for (uint32_t i = 0; graph != NULL && i < graph->edge_count; i++) {
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
