/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Placing a graph in closed memory (docs/know/design.md, "Channels"; papers/001 section 3.2), in
 * three blocks, since kernels may do different things with each (docs/know/trust.md): the
 * description, which is struct sl_graph with its channels behind it, kernels, edges, guards and
 * limits; the data arrays of all channels; their control arrays, done counts and stamps. What was
 * placed is then given to the check that the firmware makes too (hal/check/graph). */
#include <stdlib.h>
#include <string.h>

#include "check/graph/channels.h"
#include "check/graph/graph_check.h"
#include "check/graph/limit_check.h"
#include "host/driver/code/module.h"
#include "host/driver/graph/builder.h"
#include "host/driver/machine/machine.h"

void sl_graph_unplace(struct sl_graph_builder *graph)
{
    for (unsigned i = 0; i < SL_GRAPH_BLOCKS; i++) {
        sl_free(graph->soc, graph->blocks[i].memory);
        graph->blocks[i] = (struct sl_graph_block){.memory = NULL};
    }
    graph->shared = NULL;
    graph->shared_kernels = NULL;
    sl_graph_forget(graph);
}

static uint64_t in_lines(uint64_t bytes)
{
    return (bytes + SL_CACHE_LINE_BYTES - 1) & ~(uint64_t)(SL_CACHE_LINE_BYTES - 1);
}

/* A block is what was wanted of it, allocated, and then taken in the same order, each part on cache
 * lines of its own. */
static void want(struct sl_graph_block *block, uint64_t bytes)
{
    block->bytes += in_lines(bytes);
}

static uint64_t take(struct sl_graph_block *block, uint64_t bytes)
{
    const uint64_t address = (uintptr_t)block->memory + block->taken;
    block->taken += in_lines(bytes);
    return bytes > 0 ? address : 0;
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

/* Sizes of its arrays; none for a width that the check is going to refuse. */
static struct sl_channel_arrays arrays_of(const struct sl_graph_channel_node *node,
                                          const struct sl_channel *channel)
{
    const uint64_t width = channel->width;
    const uint64_t group = node->options.done_group;
    const bool is_refused = (width & (width - 1)) != 0 || width < SL_CHANNEL_WIDTH_MIN ||
                            width > SL_CHANNEL_WIDTH_MAX || group > width;
    return is_refused ? (struct sl_channel_arrays){.data = 0} : sl_channel_arrays(channel, width);
}

/* Gives it its arrays in the blocks, which have room for them. */
static void place_arrays(struct sl_graph_builder *graph, const struct sl_graph_channel_node *node,
                         struct sl_channel *channel)
{
    const struct sl_channel_arrays bytes = arrays_of(node, channel);
    struct sl_graph_block *const accounting = &graph->blocks[SL_GRAPH_ACCOUNTING];
    channel->data = take(&graph->blocks[SL_GRAPH_DATA], bytes.data);
    channel->control = take(accounting, bytes.control);
    channel->done = take(accounting, bytes.done);
    channel->stamps = take(accounting, bytes.stamps);
    if (channel->done != 0) {
        start_at(channel, node->options.first);
    }
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

/* The program's, or what its channels need. */
static enum sl_scheduler policy_of(const struct sl_graph_builder *graph)
{
    return graph->has_policy   ? graph->policy
           : has_stacks(graph) ? SL_SCHEDULER_LEVELIZED
                               : SL_SCHEDULER_FLAT;
}

const char *sl_graph_policy_name(const struct sl_graph_builder *graph)
{
    return graph != NULL ? sl_policy_name(policy_of(graph)) : NULL;
}

/* A table of the builder's: gives its address, 0 where it is empty. */
static uint64_t place_table(struct sl_graph_builder *graph, const void *table, size_t bytes)
{
    const uint64_t address = take(&graph->blocks[SL_GRAPH_DESCRIPTION], bytes);
    if (bytes > 0) {
        memcpy((void *)(uintptr_t)address, table, bytes);
    }
    return address;
}

static void want_description(struct sl_graph_builder *graph)
{
    struct sl_graph_block *const block = &graph->blocks[SL_GRAPH_DESCRIPTION];
    want(block, sizeof(struct sl_graph) + graph->channel_count * sizeof(struct sl_channel));
    want(block, graph->kernel_count * sizeof(struct sl_kernel));
    want(block, graph->edge_count * sizeof(struct sl_edge));
    want(block, graph->guard_count * sizeof(struct sl_guard));
    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        want(block, graph->channel_count * sizeof(struct sl_limit));
    }
}

static void want_arrays(struct sl_graph_builder *graph)
{
    struct sl_graph_block *const accounting = &graph->blocks[SL_GRAPH_ACCOUNTING];
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        struct sl_channel channel = {.data = 0};
        describe_channel(&graph->channels[i], &channel);
        const struct sl_channel_arrays bytes = arrays_of(&graph->channels[i], &channel);
        want(&graph->blocks[SL_GRAPH_DATA], bytes.data);
        want(accounting, bytes.control);
        want(accounting, bytes.done);
        want(accounting, bytes.stamps);
    }
}

/* From the last block on, as closed memory is given out downwards: ranges of ascending addresses
 * are what the check has least work with. */
static bool allocate(struct sl_graph_builder *graph)
{
    want_description(graph);
    want_arrays(graph);
    for (unsigned i = SL_GRAPH_BLOCKS; i-- > 0;) {
        struct sl_graph_block *const block = &graph->blocks[i];
        block->memory =
            block->bytes > 0 ? sl_soc_alloc_own(graph->soc, "a graph", (size_t)block->bytes) : NULL;
        if (block->bytes > 0 && block->memory == NULL) {
            return false;
        }
    }
    return true;
}

/* The graph itself and its tables. */
static void place_tables(struct sl_graph_builder *graph)
{
    struct sl_graph_block *const block = &graph->blocks[SL_GRAPH_DESCRIPTION];
    struct sl_graph *const shared = (struct sl_graph *)(uintptr_t)take(
        block, sizeof *shared + graph->channel_count * sizeof(struct sl_channel));
    struct sl_kernel *const kernels =
        (struct sl_kernel *)(uintptr_t)take(block, graph->kernel_count * sizeof *kernels);
    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        kernels[i] = graph->kernels[i].kernel;
    }
    *shared = (struct sl_graph){
        .magic = SL_GRAPH_MAGIC,
        .channel_count = graph->channel_count,
        .kernel_count = graph->kernel_count,
        .edge_count = graph->edge_count,
        .guard_count = graph->guard_count,
        .kernels = (uintptr_t)kernels,
        .program = sl_module_program(graph->module),
        .scheduler = policy_of(graph),
        .policy_flags = graph->policy_flags,
        .edges = place_table(graph, graph->edges, graph->edge_count * sizeof(struct sl_edge)),
        .guards = place_table(graph, graph->guards, graph->guard_count * sizeof(struct sl_guard)),
    };
    graph->shared = shared;
    graph->shared_kernels = kernels;
}

/* After the channels, whose ways of reserving the tables repeat. */
static void place_limits(struct sl_graph_builder *graph)
{
    struct sl_graph_block *const block = &graph->blocks[SL_GRAPH_DESCRIPTION];
    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        const uint64_t limits = take(block, graph->channel_count * sizeof(struct sl_limit));
        sl_graph_limits(graph->shared, i, (struct sl_limit *)(uintptr_t)limits);
        graph->shared_kernels[i].limits = limits;
        graph->shared_kernels[i].limit_count = graph->channel_count;
    }
}

static void place_channels(struct sl_graph_builder *graph)
{
    struct sl_channel *const channels = sl_graph_channels(graph->shared);
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        describe_channel(&graph->channels[i], &channels[i]);
        place_arrays(graph, &graph->channels[i], &channels[i]);
        graph->data_at[i] = channels[i].data;
        graph->books_at[i] = channels[i].control;
    }
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

static enum sl_status place(struct sl_graph_builder *graph)
{
    if (!allocate(graph)) {
        return graph->soc->failure; /* with sl_soc_alloc_own()'s message */
    }
    place_tables(graph);
    place_channels(graph);
    place_limits(graph);
    return check(graph);
}

enum sl_status sl_graph_place(struct sl_graph_builder *graph)
{
    enum sl_status status = place(graph);
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
