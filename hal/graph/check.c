/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The graph check: an ordered table of steps, each of which may rely on what those before it found
 * good. Freestanding, no arithmetic on untrusted numbers can overflow. Leaves out what only running
 * the graph can show, such as the demand of a graph that never frees elements. */
#include "graph/check.h"

#include <stdbool.h>
#include <stddef.h>

#include "graph/limits.h"
#include "graph/overlap.h"
#include "graph/policy.h"
#include "sluice/memory_map.h"

struct check {
    const struct sl_graph *graph;
    const struct sl_graph_limits *limits;
    struct sl_graph_refusal *refusal;
    struct sl_graph_scratch *scratch;
    size_t range_count;
    uint32_t arguments_max; /* of a kernel */
};

static int refuse(struct check *check, enum sl_refusal reason, uint32_t node, uint64_t value,
                  uint64_t limit)
{
    *check->refusal = (struct sl_graph_refusal){reason, node, value, limit, 0};
    return -1;
}

static const void *memory(uint64_t address)
{
    return (const void *)(uintptr_t)address;
}

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* A range of the shared heap: refused with `reason` where it is not inside or not aligned; else
 * noted for the search for overlaps. `align` is a power of two. */
static int claim(struct check *check, enum sl_refusal reason, uint32_t node, uint32_t channel,
                 uint64_t address, uint64_t bytes, uint64_t align)
{
    const struct sl_graph_limits *limits = check->limits;
    if (address < limits->heap_base) {
        return refuse(check, reason, node, address, limits->heap_base);
    }
    if (address > limits->heap_limit || bytes > limits->heap_limit - address) {
        return refuse(check, reason, node, address, limits->heap_limit);
    }
    if ((address & (align - 1)) != 0) {
        return refuse(check, reason, node, address, address & ~(align - 1));
    }
    if (bytes != 0) {
        check->scratch->range[check->range_count++] =
            (struct sl_graph_range){address, address + bytes, channel};
    }
    return 0;
}

static int claim_table(struct check *check, enum sl_refusal reason, uint64_t address,
                       uint64_t bytes)
{
    return claim(check, reason, 0, SL_GRAPH_CHANNELS, address, bytes, 8);
}

static int check_head(struct check *check)
{
    const struct sl_graph *graph = check->graph;
    const uint64_t address = (uint64_t)(uintptr_t)graph;

    if (claim_table(check, SL_REFUSE_GRAPH_ADDRESS, address, sizeof(*graph)) != 0) {
        return -1;
    }
    check->range_count = 0; /* claimed again below, with its channels */
    if (graph->magic != SL_GRAPH_MAGIC) {
        return refuse(check, SL_REFUSE_GRAPH_MAGIC, 0, graph->magic, SL_GRAPH_MAGIC);
    }
    if (graph->channel_count < 1 || graph->channel_count > SL_GRAPH_CHANNELS) {
        return refuse(check, SL_REFUSE_GRAPH_COUNT, 0, graph->channel_count,
                      clamp(graph->channel_count, 1, SL_GRAPH_CHANNELS));
    }
    if (graph->kernel_count < 1 || graph->kernel_count > SL_GRAPH_KERNELS) {
        return refuse(check, SL_REFUSE_GRAPH_COUNT, 0, graph->kernel_count,
                      clamp(graph->kernel_count, 1, SL_GRAPH_KERNELS));
    }
    if (graph->edge_count > SL_GRAPH_EDGES) {
        return refuse(check, SL_REFUSE_GRAPH_COUNT, 0, graph->edge_count, SL_GRAPH_EDGES);
    }
    return claim_table(check, SL_REFUSE_GRAPH_ADDRESS, address,
                       sizeof(*graph) + graph->channel_count * sizeof(struct sl_channel));
}

static int check_tables(struct check *check)
{
    const struct sl_graph *graph = check->graph;

    if (claim_table(check, SL_REFUSE_TABLE_ADDRESS, graph->kernels,
                    graph->kernel_count * sizeof(struct sl_kernel)) != 0 ||
        claim_table(check, SL_REFUSE_TABLE_ADDRESS, graph->program, sizeof(struct sl_program)) !=
            0) {
        return -1;
    }
    if (graph->edge_count != 0 && claim_table(check, SL_REFUSE_TABLE_ADDRESS, graph->edges,
                                              graph->edge_count * sizeof(struct sl_edge)) != 0) {
        return -1;
    }
    if (graph->scheduler >= SL_SCHEDULER_COUNT) {
        return refuse(check, SL_REFUSE_SCHEDULER, 0, graph->scheduler, SL_SCHEDULER_COUNT - 1);
    }
    return 0;
}

static int check_program(struct check *check)
{
    const struct sl_program *program = memory(check->graph->program);
    const uint64_t region_limit = SL_KERNEL_BASE + SL_KERNEL_BYTES;

    if (program->code < SL_KERNEL_BASE) {
        return refuse(check, SL_REFUSE_PROGRAM, 0, program->code, SL_KERNEL_BASE);
    }
    if (program->code >= region_limit) {
        return refuse(check, SL_REFUSE_PROGRAM, 0, program->code, region_limit);
    }
    if ((program->code & 3) != 0) {
        return refuse(check, SL_REFUSE_PROGRAM, 0, program->code, program->code & ~3ull);
    }
    if (program->code_bytes == 0 || program->code_bytes > region_limit - program->code) {
        return refuse(check, SL_REFUSE_PROGRAM, 0, program->code_bytes,
                      region_limit - program->code);
    }
    /* One entry for each two bytes of code. */
    const uint64_t entries = (program->code_bytes + 1) / 2;
    if (claim(check, SL_REFUSE_PROGRAM, 0, SL_GRAPH_CHANNELS, program->reconvergence,
              entries * sizeof(uint32_t), sizeof(uint32_t)) != 0) {
        return -1;
    }
    if (program->liveness == 0) {
        return 0;
    }
    return claim(check, SL_REFUSE_PROGRAM, 0, SL_GRAPH_CHANNELS, program->liveness,
                 entries * sizeof(uint64_t), sizeof(uint64_t));
}

static int check_kernels(struct check *check)
{
    const struct sl_program *program = memory(check->graph->program);
    const struct sl_kernel *kernels = memory(check->graph->kernels);

    for (uint32_t i = 0; i < check->graph->kernel_count; i++) {
        const uint64_t entry = kernels[i].entry;
        if (entry < program->code) {
            return refuse(check, SL_REFUSE_KERNEL_ENTRY, i, entry, program->code);
        }
        if (entry - program->code >= program->code_bytes) {
            return refuse(check, SL_REFUSE_KERNEL_ENTRY, i, entry,
                          program->code + program->code_bytes);
        }
        if ((entry & 1) != 0) {
            return refuse(check, SL_REFUSE_KERNEL_ENTRY, i, entry, entry - 1);
        }
        if (kernels[i].argument_count > check->arguments_max) {
            return refuse(check, SL_REFUSE_KERNEL_ARGUMENTS, i, kernels[i].argument_count,
                          check->arguments_max);
        }
    }
    return 0;
}

static int check_shape(struct check *check, uint32_t i, const struct sl_channel *channel)
{
    const uint32_t width = channel->width;

    if (!is_power_of_two(width) || width < SL_CHANNEL_WIDTH_MIN || width > SL_CHANNEL_WIDTH_MAX) {
        uint64_t nearest = SL_CHANNEL_WIDTH_MIN;
        while (nearest < width && nearest < SL_CHANNEL_WIDTH_MAX) {
            nearest *= 2;
        }
        return refuse(check, SL_REFUSE_CHANNEL_WIDTH, i, width, nearest);
    }
    if (channel->stride < SL_CHANNEL_STRIDE_MIN || channel->stride > SL_CHANNEL_STRIDE_MAX ||
        channel->stride % SL_CHANNEL_STRIDE_MIN != 0) {
        const uint64_t up = (channel->stride + 3ull) & ~3ull;
        return refuse(check, SL_REFUSE_CHANNEL_STRIDE, i, channel->stride,
                      clamp(up, SL_CHANNEL_STRIDE_MIN, SL_CHANNEL_STRIDE_MAX));
    }
    if (channel->stride_reciprocal != SL_STRIDE_RECIPROCAL(channel->stride)) {
        return refuse(check, SL_REFUSE_CHANNEL_RECIPROCAL, i, channel->stride_reciprocal,
                      SL_STRIDE_RECIPROCAL(channel->stride));
    }
    if (channel->done_shift >= 32 || 1ull << channel->done_shift > width) {
        const uint64_t group = channel->done_shift < 64 ? 1ull << channel->done_shift : ~0ull;
        return refuse(check, SL_REFUSE_CHANNEL_GROUP, i, group, width);
    }
    if (channel->fan_out < 1 || channel->fan_out > width) {
        return refuse(check, SL_REFUSE_CHANNEL_FAN_OUT, i, channel->fan_out,
                      clamp(channel->fan_out, 1, width));
    }
    if (channel->slack < channel->fan_out - 1) {
        return refuse(check, SL_REFUSE_CHANNEL_FAN_OUT, i, channel->slack, channel->fan_out - 1);
    }
    if (channel->kernel >= check->graph->kernel_count) {
        return refuse(check, SL_REFUSE_CHANNEL_KERNEL, i, channel->kernel,
                      check->graph->kernel_count);
    }
    if (channel->predicate >= SL_PREDICATE_COUNT) {
        return refuse(check, SL_REFUSE_CHANNEL_PREDICATE, i, channel->predicate,
                      SL_PREDICATE_COUNT - 1);
    }
    return 0;
}

/* The layout of a structure of arrays: handles instead of elements, and an array for each field
 * that begins on a cache line. */
static int check_soa(struct check *check, uint32_t i, const struct sl_channel *channel)
{
    const enum sl_refusal reason = SL_REFUSE_CHANNEL_LAYOUT;
    const uint64_t length = (uint64_t)channel->width + channel->slack;
    const uint64_t line = SL_CACHE_LINE_BYTES;

    if (channel->stride != SL_CHANNEL_STRIDE_MIN) {
        return refuse(check, reason, i, channel->stride, SL_CHANNEL_STRIDE_MIN);
    }
    if (channel->element_bytes < SL_CHANNEL_STRIDE_MIN ||
        channel->element_bytes > SL_CHANNEL_STRIDE_MAX ||
        channel->element_bytes % SL_CHANNEL_STRIDE_MIN != 0) {
        const uint64_t up = (channel->element_bytes + 3ull) & ~3ull;
        return refuse(check, reason, i, channel->element_bytes,
                      clamp(up, SL_CHANNEL_STRIDE_MIN, SL_CHANNEL_STRIDE_MAX));
    }
    if (length % line != 0) {
        return refuse(check, reason, i, channel->slack,
                      (length + line - 1) / line * line - channel->width);
    }
    return 0;
}

/* The variants of the core paper's section 8.1. */
static int check_variant(struct check *check, uint32_t i, const struct sl_channel *channel)
{
    const uint32_t layouts = SL_CHANNEL_PADDED | SL_CHANNEL_SOA;
    const uint32_t known = SL_CHANNEL_NARROW | SL_CHANNEL_WORKITEM | layouts;
    const uint32_t reservation =
        (channel->flags & SL_CHANNEL_WORKITEM) != 0 ? SL_RESERVE_WORKITEM : SL_RESERVE_WAVEFRONT;
    const enum sl_refusal reason = SL_REFUSE_CHANNEL_VARIANT;

    if ((channel->flags & ~known) != 0) {
        return refuse(check, reason, i, channel->flags, channel->flags & known);
    }
    if ((channel->flags & layouts) == layouts) {
        return refuse(check, reason, i, channel->flags,
                      channel->flags & ~(uint32_t)SL_CHANNEL_PADDED);
    }
    if (channel->reservation != reservation) {
        return refuse(check, SL_REFUSE_CHANNEL_RESERVATION, i, channel->reservation, reservation);
    }
    if ((channel->flags & SL_CHANNEL_SOA) != 0) {
        return check_soa(check, i, channel);
    }
    if (channel->element_bytes != 0) {
        return refuse(check, SL_REFUSE_CHANNEL_LAYOUT, i, channel->element_bytes, 0);
    }
    if ((channel->flags & SL_CHANNEL_PADDED) != 0 && channel->stride % SL_CACHE_LINE_BYTES != 0) {
        const uint64_t line = SL_CACHE_LINE_BYTES;
        return refuse(check, SL_REFUSE_CHANNEL_LAYOUT, i, channel->stride,
                      (channel->stride + line - 1) / line * line);
    }
    return 0;
}

static int check_arrays(struct check *check, uint32_t i, const struct sl_channel *channel)
{
    const uint32_t layouts = SL_CHANNEL_PADDED | SL_CHANNEL_SOA;
    const uint64_t width = channel->width;
    const uint64_t data_bytes = sl_channel_data_bytes(channel, width);
    const uint64_t data_align = (channel->flags & layouts) != 0 ? SL_CACHE_LINE_BYTES : 8;
    const uint64_t control_bytes = 2 * width * sizeof(uint32_t);
    const uint64_t done_bytes = (width >> channel->done_shift) * sizeof(uint32_t);
    const enum sl_refusal reason = SL_REFUSE_CHANNEL_ARRAY;

    if (claim(check, reason, i, i, channel->data, data_bytes, data_align) != 0 ||
        claim(check, reason, i, i, channel->control, control_bytes, sizeof(uint32_t)) != 0) {
        return -1;
    }
    return claim(check, reason, i, i, channel->done, done_bytes, sizeof(uint32_t));
}

/* Counters wrap at 2^64, so that only their distances mean something. Deallocation goes by whole
 * groups, and every ready element is one that was allocated. */
static int check_counters(struct check *check, uint32_t i, const struct sl_channel *channel)
{
    const enum sl_refusal reason = SL_REFUSE_CHANNEL_COUNTERS;
    const uint64_t allocated = channel->data_tail - channel->data_head;
    const uint64_t ready = channel->control_tail - channel->control_head;
    const uint64_t group = 1ull << channel->done_shift;

    if (allocated > channel->width) {
        return refuse(check, reason, i, channel->data_tail, channel->data_head);
    }
    if ((channel->data_head & (group - 1)) != 0) {
        return refuse(check, reason, i, channel->data_head, channel->data_head & ~(group - 1));
    }
    if (channel->control_reserve != channel->control_tail) {
        return refuse(check, reason, i, channel->control_reserve, channel->control_tail);
    }
    if (ready > allocated) {
        return refuse(check, reason, i, ready, allocated);
    }
    return 0;
}

/* A channel of a stack is like the one before it. */
static int check_stack(struct check *check, uint32_t i)
{
    const struct sl_channel *channels = sl_graph_channels(check->graph);
    const struct sl_channel *channel = &channels[i];
    const enum sl_refusal reason = SL_REFUSE_CHANNEL_STACK;

    if (channel->role > SL_ROLE_POST_SYNC) {
        return refuse(check, reason, i, channel->role, SL_ROLE_POST_SYNC);
    }
    if (channel->role == SL_ROLE_PLAIN) {
        return channel->levels == 0 && channel->level == 0
                   ? 0
                   : refuse(check, reason, i, channel->levels, 0);
    }
    if (channel->levels < 1 || channel->levels > SL_STACK_LEVELS) {
        return refuse(check, reason, i, channel->levels,
                      clamp(channel->levels, 1, SL_STACK_LEVELS));
    }
    if (channel->level >= channel->levels || channel->level > i) {
        return refuse(check, reason, i, channel->level, channel->levels);
    }
    if (check->graph->channel_count - i < channel->levels - channel->level) {
        return refuse(check, reason, i, channel->levels,
                      check->graph->channel_count - i + channel->level);
    }
    const struct sl_channel *first = &channels[i - channel->level];
    const bool is_alike = channel->role == first->role && channel->levels == first->levels &&
                          channel->kernel == first->kernel && channel->width == first->width &&
                          channel->stride == first->stride && channel->fan_out == first->fan_out &&
                          channel->flags == first->flags &&
                          channel->element_bytes == first->element_bytes && first->level == 0;
    if (!is_alike || (channel->level > 0 && channel[-1].level + 1 != channel->level) ||
        (channel->level + 1 < channel->levels && channel[1].level != channel->level + 1)) {
        return refuse(check, reason, i, channel->level, i);
    }
    return 0;
}

static int check_channels(struct check *check)
{
    const struct sl_channel *channels = sl_graph_channels(check->graph);

    for (uint32_t i = 0; i < check->graph->channel_count; i++) {
        if (check_shape(check, i, &channels[i]) != 0 ||
            check_variant(check, i, &channels[i]) != 0 || check_stack(check, i) != 0 ||
            check_arrays(check, i, &channels[i]) != 0 ||
            check_counters(check, i, &channels[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Also finds out what a wavefront can demand of each channel at once. */
static int check_edges(struct check *check)
{
    const struct sl_graph *graph = check->graph;
    const struct sl_edge *edges = memory(graph->edges);
    const struct sl_channel *channels = sl_graph_channels(graph);
    uint64_t *demand = check->scratch->demand;

    for (uint32_t i = 0; i < graph->channel_count; i++) {
        demand[i] = 0;
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct sl_edge *edge = &edges[i];
        if (edge->kernel >= graph->kernel_count) {
            return refuse(check, SL_REFUSE_EDGE_NODE, i, edge->kernel, graph->kernel_count);
        }
        if (edge->channel >= graph->channel_count) {
            return refuse(check, SL_REFUSE_EDGE_NODE, i, edge->channel, graph->channel_count);
        }
        if (edge->level_offset > 1 ||
            (edge->level_offset != 0 && channels[edge->channel].role == SL_ROLE_PLAIN)) {
            return refuse(check, SL_REFUSE_EDGE_LEVEL, i, edge->level_offset,
                          channels[edge->channel].role == SL_ROLE_PLAIN ? 0 : 1);
        }
        const uint32_t fan_out_max = channels[edge->channel].fan_out;
        if (edge->fan_out < 1 || edge->fan_out > fan_out_max) {
            return refuse(check, SL_REFUSE_EDGE_FAN_OUT, i, edge->fan_out,
                          clamp(edge->fan_out, 1, fan_out_max));
        }
        const uint64_t need = (uint64_t)check->limits->lanes * edge->fan_out;
        if (need > demand[edge->channel]) {
            demand[edge->channel] = need;
        }
    }
    return 0;
}

/* A kernel whose table says more than its edges could overfill a channel or put elements where the
 * scheduler does not look for them. */
static int check_limits(struct check *check)
{
    const struct sl_graph *graph = check->graph;
    const struct sl_kernel *kernels = memory(graph->kernels);
    const struct sl_limit *right = check->scratch->limit;

    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        if (kernels[i].limit_count != graph->channel_count) {
            return refuse(check, SL_REFUSE_KERNEL_LIMITS, i, kernels[i].limit_count,
                          graph->channel_count);
        }
        if (claim(check, SL_REFUSE_KERNEL_LIMITS, i, SL_GRAPH_CHANNELS, kernels[i].limits,
                  graph->channel_count * sizeof(struct sl_limit), 8) != 0) {
            return -1;
        }
        const struct sl_limit *limits = memory(kernels[i].limits);
        sl_graph_limits(graph, i, check->scratch->limit);
        for (uint32_t c = 0; c < graph->channel_count; c++) {
            const uint64_t channel = (uint64_t)c << 32;
            if (limits[c].fan_out != right[c].fan_out) {
                return refuse(check, SL_REFUSE_KERNEL_LIMIT, i, channel | limits[c].fan_out,
                              right[c].fan_out);
            }
            if (limits[c].reservation != right[c].reservation) {
                return refuse(check, SL_REFUSE_KERNEL_LIMIT, i, channel | limits[c].reservation,
                              right[c].reservation);
            }
        }
    }
    return 0;
}

static int check_policy(struct check *check)
{
    return sl_policy_check(check->graph, check->limits, check->refusal, check->scratch);
}

/* Elements that are done stay allocated until their group is: up to a group less one. Below the
 * width checked here a wavefront could wait for ever for space that such a group holds
 * (docs/design.md, "Width"). */
static int check_demand(struct check *check)
{
    const struct sl_channel *channels = sl_graph_channels(check->graph);

    for (uint32_t i = 0; i < check->graph->channel_count; i++) {
        const uint64_t group = 1ull << channels[i].done_shift;
        const uint64_t need = check->scratch->demand[i] + group - 1;
        uint64_t least = SL_CHANNEL_WIDTH_MIN;
        while (least < need) {
            least *= 2;
        }
        if (channels[i].width < least && (channels[i].flags & SL_CHANNEL_NARROW) == 0) {
            return refuse(check, SL_REFUSE_CHANNEL_NARROW, i, channels[i].width, least);
        }
    }
    return 0;
}

static int check_kernels_used(struct check *check)
{
    const struct sl_channel *channels = sl_graph_channels(check->graph);
    uint64_t used = 0;
    static_assert(SL_GRAPH_KERNELS <= 64, "a bit for each kernel");

    for (uint32_t i = 0; i < check->graph->channel_count; i++) {
        used |= 1ull << channels[i].kernel;
    }
    for (uint32_t i = 0; i < check->graph->kernel_count; i++) {
        if ((used >> i & 1) == 0) {
            return refuse(check, SL_REFUSE_KERNEL_UNUSED, i, i, check->graph->channel_count);
        }
    }
    return 0;
}

static int check_overlaps(struct check *check)
{
    const struct sl_graph_range *range = check->scratch->range;
    size_t other;

    sl_overlap_sort(check->scratch->range, check->range_count);
    const size_t found = sl_overlap_find(range, check->range_count, &other);
    if (found == check->range_count) {
        return 0;
    }
    if (range[found].channel < SL_GRAPH_CHANNELS) {
        return refuse(check, SL_REFUSE_CHANNEL_OVERLAP, (uint32_t)range[found].channel,
                      range[found].begin, range[other].begin);
    }
    if (range[other].channel < SL_GRAPH_CHANNELS) {
        return refuse(check, SL_REFUSE_CHANNEL_OVERLAP, (uint32_t)range[other].channel,
                      range[other].begin, range[found].begin);
    }
    return refuse(check, SL_REFUSE_TABLE_ADDRESS, 0, range[found].begin, range[other].begin);
}

int sl_graph_check(const struct sl_graph *graph, const struct sl_graph_limits *limits,
                   struct sl_graph_refusal *refusal, struct sl_graph_scratch *scratch)
{
    static int (*const steps[])(struct check *) = {
        check_head,   check_tables, check_program, check_kernels,      check_channels, check_edges,
        check_limits, check_policy, check_demand,  check_kernels_used, check_overlaps,
    };
    struct check check = {graph, limits, refusal, scratch, 0, SL_KERNEL_ARGUMENTS};

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (steps[i](&check) != 0) {
            return -1;
        }
    }
    return 0;
}

int sl_graph_check_kernel(uint64_t program, const struct sl_kernel *kernel, uint32_t arguments_max,
                          const struct sl_graph_limits *limits, struct sl_graph_refusal *refusal,
                          struct sl_graph_scratch *scratch)
{
    const struct sl_graph graph = {
        .program = program,
        .kernels = (uint64_t)(uintptr_t)kernel,
        .kernel_count = 1,
    };
    struct check check = {&graph, limits, refusal, scratch, 0, arguments_max};

    if (claim_table(&check, SL_REFUSE_PROGRAM, program, sizeof(struct sl_program)) != 0 ||
        check_program(&check) != 0) {
        return -1;
    }
    return check_kernels(&check);
}
