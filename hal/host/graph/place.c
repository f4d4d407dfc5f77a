/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Placing a graph in shared memory: struct sl_graph with its channels behind it, kernels, edges,
 * guards, and the arrays of each channel (docs/design.md, "Channels"; papers/001 section 3.2). What
 * was placed is then given to the check that the firmware makes too (hal/graph). */
#include <stdlib.h>
#include <string.h>

#include "graph/channels.h"
#include "graph/check.h"
#include "graph/limits.h"
#include "host/graph/builder.h"
#include "host/load/module.h"
#include "host/machine/machine.h"

void sl_graph_unplace(struct sl_graph_builder *graph)
{
    for (size_t i = 0; i < graph->block_count; i++) {
        sl_free(graph->soc, graph->blocks[i]);
    }
    graph->block_count = 0;
    graph->shared = NULL;
    graph->shared_kernels = NULL;
    sl_graph_forget(graph);
}

/* Shared memory that goes with the graph. */
static void *take(struct sl_graph_builder *graph, uint64_t bytes)
{
    void *const memory = sl_alloc(graph->soc, (size_t)bytes, 0);
    if (memory != NULL) {
        graph->blocks[graph->block_count++] = memory;
    }
    return memory;
}

static uint32_t round_to_line(uint32_t value)
{
    return (value + SL_CACHE_LINE_BYTES - 1) & ~(uint32_t)(SL_CACHE_LINE_BYTES - 1);
}

/* Starts the counters of a channel at `first`, as if so many elements had come and gone before.
 * Deallocation goes by whole groups, so that data_head is always a multiple of the group; after
 * `first` elements have come and gone, the group that data_tail is in holds first % group elements
 * that are done. That is the state made here, the same that a graph's completion leaves behind. */
static void start_at(struct sl_channel *channel, uint64_t first)
{
    const uint64_t group = 1ull << channel->done_shift;
    uint32_t *const done = (uint32_t *)(uintptr_t)channel->done;
    channel->data_tail = first;
    channel->data_head = first & ~(group - 1);
    channel->control_reserve = first;
    channel->control_tail = first;
    channel->control_head = first;
    const uint64_t index = (first & (channel->width - 1)) >> channel->done_shift;
    if ((first & (group - 1)) != 0) {
        done[index] = (uint32_t)(first & (group - 1));
    }
    if (channel->stamps != 0) {
        channel->number = (uint32_t)first;
        channel->control_reserve = channel->number;
    }
}

/* What the channel's variant says about its elements and how they are reserved (papers/001 section
 * 8.1): the rules that the graph check then finds kept. */
static void describe_variant(const struct sl_graph_channel_node *node, struct sl_channel *channel)
{
    const uint32_t flags = node->options.flags;
    channel->flags = flags;
    channel->reservation =
        (flags & SL_CHANNEL_WORKITEM) != 0 ? SL_RESERVE_WORKITEM : SL_RESERVE_WAVEFRONT;
    channel->slack = node->fan_out - 1;
    const enum sl_form form = sl_form_of(channel);
    channel->stride = (uint32_t)sl_form_stride(form, node->element_bytes);
    if (form == SL_SOA) {
        channel->element_bytes = channel->stride;
        channel->stride = SL_CHANNEL_STRIDE_MIN;
        channel->slack = round_to_line(channel->slack);
    }
    channel->stride_reciprocal = SL_STRIDE_RECIPROCAL(channel->stride);
}

/* Fills in what does not need memory of the channel's own. */
static void describe_channel(const struct sl_graph_channel_node *node, struct sl_channel *channel)
{
    channel->width = node->width;
    channel->done_shift = (uint32_t)__builtin_ctz(node->options.done_group);
    channel->fan_out = node->fan_out;
    channel->kernel = (uint32_t)node->kernel;
    channel->predicate = node->options.predicate;
    channel->predicate_argument = node->options.predicate_argument;
    channel->role = node->role;
    channel->level = node->level;
    channel->levels = node->levels;
    describe_variant(node, channel);
}

/* The arrays; none for a width that the check is going to refuse. */
static bool place_arrays(struct sl_graph_builder *graph, const struct sl_graph_channel_node *node,
                         struct sl_channel *channel)
{
    const uint64_t width = channel->width;
    const uint64_t group = node->options.done_group;
    if ((width & (width - 1)) != 0 || width < SL_CHANNEL_WIDTH_MIN ||
        width > SL_CHANNEL_WIDTH_MAX || group > width) {
        return true;
    }
    const struct sl_channel_arrays bytes = sl_channel_arrays(channel, width);
    channel->data = (uintptr_t)take(graph, bytes.data);
    channel->control = channel->data != 0 ? (uintptr_t)take(graph, bytes.control) : 0;
    channel->done = channel->control != 0 ? (uintptr_t)take(graph, bytes.done) : 0;
    channel->stamps =
        channel->done != 0 && bytes.stamps != 0 ? (uintptr_t)take(graph, bytes.stamps) : 0;
    if (channel->done == 0 || (bytes.stamps != 0 && channel->stamps == 0)) {
        return false;
    }
    start_at(channel, node->options.first);
    return true;
}

static bool has_stacks(const struct sl_graph_builder *graph)
{
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        if (graph->channels[i].role != SL_ROLE_PLAIN) {
            return true;
        }
    }
    return false;
}

/* A table of the builder's in shared memory: gives its address, 0 where it is empty. */
static bool place_table(struct sl_graph_builder *graph, const void *table, size_t bytes,
                        uint64_t *address)
{
    void *const placed = bytes > 0 ? take(graph, bytes) : NULL;
    if (placed != NULL) {
        memcpy(placed, table, bytes);
    }
    *address = (uintptr_t)placed;
    return bytes == 0 || placed != NULL;
}

/* The graph itself and its tables. */
static bool place_tables(struct sl_graph_builder *graph)
{
    struct sl_graph *const shared =
        take(graph, sizeof *shared + graph->channel_count * sizeof(struct sl_channel));
    graph->shared = shared;
    if (shared == NULL) {
        return false;
    }
    graph->shared_kernels = take(graph, graph->kernel_count * sizeof(struct sl_kernel));
    if (graph->shared_kernels == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        graph->shared_kernels[i] = graph->kernels[i].kernel;
    }
    *shared = (struct sl_graph){
        .magic = SL_GRAPH_MAGIC,
        .channel_count = graph->channel_count,
        .kernel_count = graph->kernel_count,
        .edge_count = graph->edge_count,
        .guard_count = graph->guard_count,
        .kernels = (uintptr_t)graph->shared_kernels,
        .program = sl_module_program(graph->module),
        .scheduler = graph->has_policy   ? graph->policy
                     : has_stacks(graph) ? SL_SCHEDULER_LEVELIZED
                                         : SL_SCHEDULER_FLAT,
        .policy_flags = graph->policy_flags,
    };
    return place_table(graph, graph->edges, graph->edge_count * sizeof(struct sl_edge),
                       &shared->edges) &&
           place_table(graph, graph->guards, graph->guard_count * sizeof(struct sl_guard),
                       &shared->guards);
}

/* After the channels, whose ways of reserving the tables repeat. */
static bool place_limits(struct sl_graph_builder *graph)
{
    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        struct sl_limit *const limits = take(graph, graph->channel_count * sizeof *limits);
        if (limits == NULL) {
            return false;
        }
        sl_graph_limits(graph->shared, i, limits);
        graph->shared_kernels[i].limits = (uintptr_t)limits;
        graph->shared_kernels[i].limit_count = graph->channel_count;
    }
    return true;
}

static bool place_channels(struct sl_graph_builder *graph)
{
    struct sl_channel *const channels = sl_graph_channels(graph->shared);
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        describe_channel(&graph->channels[i], &channels[i]);
        if (!place_arrays(graph, &graph->channels[i], &channels[i])) {
            return false;
        }
    }
    return true;
}

struct sl_graph_limits sl_graph_limits_of(const struct sl_soc *soc)
{
    return (struct sl_graph_limits){
        soc->heap.base, soc->heap.limit, (uint32_t)soc->config.number[SL_CFG_GPU_LANES],
        (uint32_t)soc->layout.pool_blocks, (uint32_t)soc->config.number[SL_CFG_GPU_LDS]};
}

static enum sl_status check(struct sl_graph_builder *graph)
{
    struct sl_soc *const soc = graph->soc;
    const struct sl_graph_limits limits = sl_graph_limits_of(soc);
    struct sl_graph_scratch *const scratch = malloc(sizeof *scratch);
    if (scratch == NULL) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    struct sl_graph_refusal refusal;
    const bool is_good = sl_graph_check(graph->shared, &limits, &refusal, scratch) == 0;
    free(scratch);
    if (is_good) {
        return SL_OK;
    }
    char text[1024];
    sl_graph_refusal_text(&soc->config, graph, &refusal, text, sizeof text);
    return sl_soc_fail(soc, SL_ERROR_USAGE, "%s", text);
}

enum sl_status sl_graph_place(struct sl_graph_builder *graph)
{
    const bool is_placed = place_tables(graph) && place_channels(graph) && place_limits(graph);
    enum sl_status status = is_placed ? check(graph) : SL_ERROR_USAGE; /* of sl_alloc() */
    if (status == SL_OK) {
        status = sl_graph_keep(graph);
    }
    if (status != SL_OK) {
        sl_graph_unplace(graph);
    }
    return status;
}

struct sl_graph *sl_graph_shared(struct sl_graph_builder *graph)
{
    return graph->shared;
}

struct sl_channel *sl_graph_shared_channel(struct sl_graph_builder *graph, int channel)
{
    const bool is_there =
        graph->shared != NULL && channel >= 0 && (uint32_t)channel < graph->channel_count;
    return is_there ? &sl_graph_channels(graph->shared)[channel] : NULL;
}
