/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Graphs for unit tests of the firmware (firmware_graph.h). */
#include "unit/common/firmware_graph.h"

#include <string.h>

#include "check/graph/channels.h"
#include "check/graph/limit_check.h"
#include "common/check.h"
#include "sluice/memory_map.h"
#include "sluice/stamp.h"

#define ARENA_BYTES (16u << 20)

static _Alignas(4096) uint8_t arena[ARENA_BYTES];
static size_t arena_used;

void *test_graph_alloc(size_t bytes)
{
    void *memory = &arena[arena_used];
    arena_used += (bytes + 63) & ~(size_t)63;
    assert_true(arena_used <= ARENA_BYTES);
    return memory;
}

static uint64_t address(const void *memory)
{
    return (uint64_t)(uintptr_t)memory;
}

static void make_channel(struct sl_channel *channel, const struct test_channel *from)
{
    channel->width = from->width;
    channel->stride = from->stride;
    channel->stride_reciprocal = SL_STRIDE_RECIPROCAL(from->stride);
    channel->slack = from->fan_out - 1;
    channel->done_shift = from->done_shift;
    channel->fan_out = from->fan_out;
    channel->kernel = from->kernel;
    channel->flags = from->flags;
    channel->data =
        address(test_graph_alloc((size_t)(from->width + channel->slack) * from->stride));
    channel->control = address(test_graph_alloc(2 * sizeof(uint32_t) * from->width));
    channel->done = address(test_graph_alloc((from->width >> from->done_shift) * sizeof(uint32_t)));
    if ((from->flags & SL_CHANNEL_STAMPED) != 0) {
        channel->stamps = address(test_graph_alloc(sl_stamp_count(from->width) * sizeof(uint64_t)));
        channel->number = (uint32_t)from->first;
    }
    channel->data_tail = from->first;
    channel->data_head = from->first;
    channel->control_reserve = channel->stamps != 0 ? channel->number : from->first;
    channel->control_tail = from->first;
    channel->control_head = from->first;
}

struct test_graph test_graph_make(const struct test_channel *channels, uint32_t channel_count,
                                  uint32_t kernel_count, const struct sl_edge *edges,
                                  uint32_t edge_count, uint32_t lanes)
{
    struct test_graph made;

    memset(arena, 0, arena_used);
    arena_used = 0;
    made.graph =
        test_graph_alloc(sizeof(struct sl_graph) + channel_count * sizeof(struct sl_channel));
    made.channels = sl_graph_channels(made.graph);
    made.kernels = test_graph_alloc(kernel_count * sizeof(struct sl_kernel));
    made.edges = test_graph_alloc((edge_count + 1) * sizeof(struct sl_edge));
    made.program = test_graph_alloc(sizeof(struct sl_program));
    made.program->code = SL_KERNEL_BASE;
    made.program->code_bytes = TEST_CODE_BYTES;
    made.program->reconvergence = address(test_graph_alloc(2 * TEST_CODE_BYTES));
    *made.graph = (struct sl_graph){
        .magic = SL_GRAPH_MAGIC,
        .channel_count = channel_count,
        .kernel_count = kernel_count,
        .edge_count = edge_count,
        .kernels = address(made.kernels),
        .edges = address(made.edges),
        .program = address(made.program),
        .scheduler = SL_SCHEDULER_FLAT,
    };
    for (uint32_t i = 0; i < kernel_count; i++) {
        made.kernels[i].entry = SL_KERNEL_BASE;
    }
    for (uint32_t i = 0; i < edge_count; i++) {
        made.edges[i] = edges[i];
        if ((channels[edges[i].channel].flags & SL_CHANNEL_STAMPED) != 0) {
            made.kernels[edges[i].kernel].flags |= SL_KERNEL_STAMPED;
        }
    }
    for (uint32_t i = 0; i < channel_count; i++) {
        make_channel(&made.channels[i], &channels[i]);
    }
    for (uint32_t i = 0; i < kernel_count; i++) {
        made.kernels[i].limits = address(test_graph_alloc(channel_count * sizeof(struct sl_limit)));
        made.kernels[i].limit_count = channel_count;
    }
    test_graph_limits(&made);
    made.limits =
        (struct sl_graph_limits){address(arena), address(arena) + ARENA_BYTES, lanes, 64, 65536};
    return made;
}

void test_graph_limits(struct test_graph *graph)
{
    for (uint32_t i = 0; i < graph->graph->kernel_count; i++) {
        sl_graph_limits(graph->graph, i, (struct sl_limit *)(uintptr_t)graph->kernels[i].limits);
    }
}

struct test_graph test_graph_fib(uint32_t width, uint32_t flags, uint64_t first)
{
    const struct test_channel channel = {
        .width = width,
        .stride = 8,
        .done_shift = 6,
        .fan_out = 2,
        .flags = flags,
        .first = first,
    };
    const struct sl_edge edge = {.fan_out = 2};
    return test_graph_make(&channel, 1, 1, &edge, 1, 64);
}

void test_graph_put(struct test_graph *graph, uint32_t channel, uint64_t value)
{
    struct sl_channel *to = &graph->channels[channel];
    const uint32_t offset = (uint32_t)(to->data_tail & (to->width - 1));

    assert_int_equal(to->stride, 8);
    *(uint64_t *)(uintptr_t)(to->data + 8ull * offset) = value;
    ((uint32_t *)(uintptr_t)to->control)[to->control_tail & (2 * to->width - 1)] = offset;
    to->data_tail++;
    to->control_reserve++;
    to->control_tail++;
}

static struct sl_graph_scratch scratch;

void test_graph_accept(const struct test_graph *graph)
{
    struct sl_graph_refusal refusal = {0};
    assert_int_equal(sl_graph_check(graph->graph, &graph->limits, &refusal, &scratch), 0);
}

void test_graph_refuse(const struct test_graph *graph, enum sl_refusal reason, uint32_t node,
                       uint64_t value, uint64_t limit)
{
    struct sl_graph_refusal refusal = {0};
    assert_int_equal(sl_graph_check(graph->graph, &graph->limits, &refusal, &scratch), -1);
    assert_int_equal(refusal.reason, reason);
    assert_int_equal(refusal.node, node);
    assert_int_equal(refusal.value, value);
    assert_int_equal(refusal.limit, limit);
}
