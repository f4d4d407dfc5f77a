/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The graph builder (papers/001 section 4.2 and Figure 6): notes nodes and edges in the
 * host's own memory. Mistakes (mistakes.c) come out of sl_graph_prepare(), so that building reads
 * as in the paper; so does what the builder alone can say well. Placing is in graph_layout.c. */
#include "host/driver/graph/builder.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/driver/code/module.h"
#include "host/driver/machine/machine.h"

#define DONE_GROUP_DEFAULT 64u /* Table 2 */

/* Whether one more entry has a place in a table of `most`. */
static bool has_room(struct sl_graph_builder *graph, uint32_t count, uint32_t most,
                     const char *what)
{
    if (count >= most) {
        sl_builder_error(graph, "the graph has %u %s; no more are possible", count, what);
    }
    return count < most;
}

enum sl_status sl_graph_create(struct sl_module *module, struct sl_graph_builder **out)
{
    struct sl_soc *const soc = sl_module_soc(module);
    struct sl_graph_builder *const graph = calloc(1, sizeof *graph);
    *out = graph;
    if (graph == NULL) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    SL_HOLD(soc);
    graph->soc = soc;
    graph->module = module;
    graph->next = soc->graphs;
    soc->graphs = graph;
    return SL_OK;
}

void sl_graph_free(struct sl_graph_builder *graph)
{
    struct sl_graph_builder **link = &graph->soc->graphs;
    while (*link != graph) {
        link = &(*link)->next;
    }
    *link = graph->next;
    sl_graph_unplace(graph);
    free(graph);
}

uint32_t sl_channel_width(uint64_t elements)
{
    uint32_t width = SL_CHANNEL_WIDTH_MIN;

    while (width < elements && width < SL_CHANNEL_WIDTH_MAX) {
        width *= 2;
    }
    return width;
}

int sl_graph_channel(struct sl_graph_builder *graph, size_t element_bytes, uint32_t width,
                     const struct sl_channel_options *options)
{
    const uint32_t id = graph->channel_count;
    if (!sl_builder_is_open(graph, "sl_graph_channel") ||
        !has_room(graph, id, SL_GRAPH_CHANNELS, "channels")) {
        return -1;
    }
    struct sl_graph_channel_node *const node = &graph->channels[graph->channel_count++];
    *node = (struct sl_graph_channel_node){
        .element_bytes = element_bytes, .width = width, .kernel = -1, .fan_out = 1};
    if (options != NULL) {
        node->options = *options;
        (void)snprintf(node->name, sizeof node->name, "%s",
                       options->name != NULL ? options->name : "");
    }
    node->options.name = NULL;
    if (node->options.done_group == 0) {
        node->options.done_group = DONE_GROUP_DEFAULT;
    }
    const struct sl_graph_label label = sl_graph_channel_label(graph, id);
    const uint32_t group = node->options.done_group;
    if ((group & (group - 1)) != 0) {
        sl_builder_error(graph,
                         "%s: a done-count group of %u elements is not a power of two from 1 to "
                         "the channel's width",
                         label.text, group);
    }
    if (element_bytes == 0 || element_bytes > SL_CHANNEL_STRIDE_MAX) {
        sl_builder_error(graph, "%s: elements of %zu bytes; from 1 to %u are possible", label.text,
                         element_bytes, SL_CHANNEL_STRIDE_MAX);
    }
    return (int)id;
}

int sl_graph_kernel(struct sl_graph_builder *graph, const char *function)
{
    const uint32_t index = graph->kernel_count;
    if (!sl_builder_is_open(graph, "sl_graph_kernel") ||
        !has_room(graph, index, SL_GRAPH_KERNELS, "kernels")) {
        return -1;
    }
    const int handle = sl_module_kernel(graph->module, function);
    if (handle < 0) {
        sl_builder_error(graph, "kernel '%s': %s", function, sl_soc_error(graph->soc));
        return -1;
    }
    struct sl_graph_kernel_node *const node = &graph->kernels[graph->kernel_count++];
    node->handle = handle;
    node->kernel = sl_module_kernel_needs(graph->module, handle);
    node->arguments.is_graph = true;
    (void)snprintf(node->name, sizeof node->name, "%s", function);
    return (int)index;
}

void sl_graph_lds(struct sl_graph_builder *graph, int kernel, uint32_t bytes)
{
    const char *const what = "sl_graph_lds";
    if (!sl_builder_is_open(graph, what) || !sl_builder_has_kernel(graph, what, kernel)) {
        return;
    }
    graph->kernels[kernel].kernel.lds_bytes = sl_module_lds_total(graph->module, bytes);
}

void sl_graph_connect(struct sl_graph_builder *graph, int channel, int kernel)
{
    const char *const what = "sl_graph_connect";
    if (!sl_builder_is_open(graph, what) || !sl_builder_has_channel(graph, what, channel) ||
        !sl_builder_has_kernel(graph, what, kernel)) {
        return;
    }
    struct sl_graph_channel_node *const node = &graph->channels[channel];
    if (node->kernel >= 0) {
        sl_builder_error(graph,
                         "%s: connected to kernel %d '%s' already, and then to kernel %d '%s'; a "
                         "channel has exactly one kernel",
                         sl_graph_channel_label(graph, (uint64_t)channel).text, node->kernel,
                         graph->kernels[node->kernel].name, kernel, graph->kernels[kernel].name);
        return;
    }
    node->kernel = kernel;
}

void sl_builder_output(struct sl_graph_builder *graph, int kernel, int channel, uint32_t fan_out,
                       uint32_t level_offset)
{
    const char *const what = "sl_graph_output";
    if (!sl_builder_is_open(graph, what) || !sl_builder_has_kernel(graph, what, kernel) ||
        !sl_builder_has_channel(graph, what, channel)) {
        return;
    }
    struct sl_graph_channel_node *const node = &graph->channels[channel];
    const struct sl_graph_label label = sl_graph_channel_label(graph, (uint64_t)channel);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        if (graph->edges[i].kernel == (uint32_t)kernel &&
            graph->edges[i].channel == (uint32_t)channel) {
            sl_builder_error(graph,
                             "%s is declared twice as an output of kernel %d '%s', with fan-outs "
                             "%u and %u; declare the larger one",
                             label.text, kernel, graph->kernels[kernel].name,
                             graph->edges[i].fan_out, fan_out);
            return;
        }
    }
    if (fan_out == 0 || (fan_out > node->width && node->width >= SL_CHANNEL_WIDTH_MIN)) {
        sl_builder_error(graph,
                         "%s: kernel %d '%s' has fan-out %u into it; from 1 to the channel's "
                         "width, %u, is possible",
                         label.text, kernel, graph->kernels[kernel].name, fan_out, node->width);
        return;
    }
    if (!has_room(graph, graph->edge_count, SL_GRAPH_EDGES, "edges")) {
        return;
    }
    graph->edges[graph->edge_count++] =
        (struct sl_edge){(uint32_t)kernel, (uint32_t)channel, fan_out, level_offset};
    node->fan_out = fan_out > node->fan_out ? fan_out : node->fan_out;
}

void sl_graph_output(struct sl_graph_builder *graph, int kernel, int channel, uint32_t fan_out)
{
    sl_builder_output(graph, kernel, channel, fan_out, 0);
}

void sl_graph_policy(struct sl_graph_builder *graph, enum sl_scheduler policy)
{
    if (!sl_builder_is_open(graph, "sl_graph_policy")) {
        return;
    }
    if ((unsigned)policy >= SL_SCHEDULER_COUNT) {
        sl_builder_error(graph, "sl_graph_policy: there is no policy %d: there are %d, from 0",
                         (int)policy, SL_SCHEDULER_COUNT);
        return;
    }
    graph->has_policy = true;
    graph->policy = policy;
}

void sl_graph_policy_flags(struct sl_graph_builder *graph, uint32_t flags)
{
    if (sl_builder_is_open(graph, "sl_graph_policy_flags")) {
        graph->policy_flags = flags;
    }
}

/* The shared check sees only numbers. */
static void check_nodes(struct sl_graph_builder *graph)
{
    if (graph->channel_count == 0 || graph->kernel_count == 0) {
        sl_builder_error(graph,
                         "the graph has %u channels and %u kernels; it needs at least one of each",
                         graph->channel_count, graph->kernel_count);
    }
    uint64_t used = 0;
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        if (graph->channels[i].kernel < 0) {
            sl_builder_error(graph,
                             "%s is not connected to a kernel: nothing would consume its elements; "
                             "call sl_graph_connect()",
                             sl_graph_channel_label(graph, i).text);
        } else {
            used |= 1ull << graph->channels[i].kernel;
        }
    }
    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        if ((used >> i & 1) == 0) {
            sl_builder_error(graph,
                             "kernel %u '%s' is not connected to a channel: nothing would start "
                             "it; call sl_graph_connect()",
                             i, graph->kernels[i].name);
        }
    }
}

enum sl_status sl_graph_prepare(struct sl_graph_builder *graph)
{
    if (graph->shared == NULL) {
        check_nodes(graph);
        sl_builder_place_arguments(graph);
    }
    if (graph->error[0] != '\0') {
        return sl_soc_fail(graph->soc, SL_ERROR_USAGE, "%s", graph->error);
    }
    return graph->shared != NULL ? SL_OK : sl_graph_place(graph);
}
