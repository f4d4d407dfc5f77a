/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The graph check (hal/check/graph): a good graph passes, and every single defect is refused with
 * its reason, its node, the value found and what it was compared with. */
#include "common/check.h"
#include "sluice/memory_map.h"
#include "unit/common/firmware_graph.h"

/* Two kernels, three channels: 0 -> A -> {1, 2}, {1, 2} -> B -> 0. */
static struct test_graph make(void)
{
    static const struct test_channel channels[] = {
        {.width = 256, .stride = 8, .done_shift = 6, .fan_out = 2, .kernel = 0},
        {.width = 128, .stride = 12, .done_shift = 6, .fan_out = 1, .kernel = 1},
        {.width = 1024, .stride = 64, .done_shift = 0, .fan_out = 3, .kernel = 1},
    };
    static const struct sl_edge edges[] = {
        {.kernel = 0, .channel = 1, .fan_out = 1},
        {.kernel = 0, .channel = 2, .fan_out = 3},
        {.kernel = 1, .channel = 0, .fan_out = 2},
    };
    return test_graph_make(channels, 3, 2, edges, 3, 64);
}

TEST(test_good)
{
    struct test_graph graph = make();
    test_graph_accept(&graph);
    /* No edges: then their address means nothing. Channel 0 only needs what a group holds. */
    graph.graph->edge_count = 0;
    graph.graph->edges = 12345;
    test_graph_limits(&graph);
    test_graph_accept(&graph);
}

TEST(test_graph_itself)
{
    struct test_graph graph = make();
    const uint64_t address = graph.limits.heap_base;
    const uint64_t end = address + sizeof(struct sl_graph) + 3 * sizeof(struct sl_channel);

    graph.limits.heap_base += 64;
    test_graph_refuse(&graph, SL_REFUSE_GRAPH_ADDRESS, 0, address, address + 64);
    graph = make();
    graph.limits.heap_limit = end - 1;
    test_graph_refuse(&graph, SL_REFUSE_GRAPH_ADDRESS, 0, address, end - 1);
    graph.limits.heap_limit = address + 127;
    test_graph_refuse(&graph, SL_REFUSE_GRAPH_ADDRESS, 0, address, address + 127);
    graph = make();
    graph.graph = (struct sl_graph *)(address + 4); /* not looked into */
    test_graph_refuse(&graph, SL_REFUSE_GRAPH_ADDRESS, 0, address + 4, address);
    graph.graph = (struct sl_graph *)(UINT64_MAX - 7);
    test_graph_refuse(&graph, SL_REFUSE_GRAPH_ADDRESS, 0, UINT64_MAX - 7, graph.limits.heap_limit);

    graph = make();
    graph.graph->magic++;
    test_graph_refuse(&graph, SL_REFUSE_GRAPH_MAGIC, 0, SL_GRAPH_MAGIC + 1, SL_GRAPH_MAGIC);
    graph = make();
    graph.graph->channel_count = 0;
    test_graph_refuse(&graph, SL_REFUSE_GRAPH_COUNT, 0, 0, 1);
    graph.graph->channel_count = SL_GRAPH_CHANNELS + 1;
    test_graph_refuse(&graph, SL_REFUSE_GRAPH_COUNT, 0, SL_GRAPH_CHANNELS + 1, SL_GRAPH_CHANNELS);
    graph = make();
    graph.graph->kernel_count = SL_GRAPH_KERNELS + 1;
    test_graph_refuse(&graph, SL_REFUSE_GRAPH_COUNT, 0, SL_GRAPH_KERNELS + 1, SL_GRAPH_KERNELS);
    graph = make();
    graph.graph->edge_count = UINT32_MAX;
    test_graph_refuse(&graph, SL_REFUSE_GRAPH_COUNT, 0, UINT32_MAX, SL_GRAPH_EDGES);
    graph = make();
    graph.graph->scheduler = 7;
    test_graph_refuse(&graph, SL_REFUSE_SCHEDULER, 0, 7, SL_SCHEDULER_LEVELIZED);
}

TEST(test_tables)
{
    struct test_graph graph = make();
    uint64_t *const tables[] = {&graph.graph->kernels, &graph.graph->edges, &graph.graph->program};

    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        const uint64_t good = *tables[i];
        *tables[i] = 0x1000;
        test_graph_refuse(&graph, SL_REFUSE_TABLE_ADDRESS, 0, 0x1000, graph.limits.heap_base);
        *tables[i] = graph.limits.heap_limit - 8;
        test_graph_refuse(&graph, SL_REFUSE_TABLE_ADDRESS, 0, graph.limits.heap_limit - 8,
                          graph.limits.heap_limit);
        *tables[i] = good + 2;
        test_graph_refuse(&graph, SL_REFUSE_TABLE_ADDRESS, 0, good + 2, good);
        *tables[i] = good;
    }
    /* The edges in the kernels' table. */
    const uint64_t edges = graph.graph->edges;
    struct sl_edge *inside = (struct sl_edge *)(uintptr_t)(graph.graph->kernels + 16);
    for (uint32_t i = 0; i < 3; i++) {
        inside[i] = graph.edges[i];
    }
    graph.graph->edges = graph.graph->kernels + 16;
    test_graph_refuse(&graph, SL_REFUSE_TABLE_ADDRESS, 0, graph.graph->edges, graph.graph->kernels);
    graph.graph->edges = edges;
    test_graph_accept(&graph);
}

TEST(test_program)
{
    const uint64_t limit = SL_KERNEL_BASE + SL_KERNEL_BYTES;
    struct test_graph graph = make();

    graph.program->code = SL_KERNEL_BASE - 4;
    test_graph_refuse(&graph, SL_REFUSE_PROGRAM, 0, SL_KERNEL_BASE - 4, SL_KERNEL_BASE);
    graph.program->code = limit;
    test_graph_refuse(&graph, SL_REFUSE_PROGRAM, 0, limit, limit);
    graph.program->code = SL_KERNEL_BASE + 2;
    test_graph_refuse(&graph, SL_REFUSE_PROGRAM, 0, SL_KERNEL_BASE + 2, SL_KERNEL_BASE);
    graph.program->code = limit - 64;
    test_graph_refuse(&graph, SL_REFUSE_PROGRAM, 0, TEST_CODE_BYTES, 64);
    graph = make();
    graph.program->code_bytes = UINT64_MAX;
    test_graph_refuse(&graph, SL_REFUSE_PROGRAM, 0, UINT64_MAX, SL_KERNEL_BYTES);
    graph.program->code_bytes = 0;
    test_graph_refuse(&graph, SL_REFUSE_PROGRAM, 0, 0, SL_KERNEL_BYTES);
    graph = make();
    graph.program->reconvergence = SL_KERNEL_BASE;
    test_graph_refuse(&graph, SL_REFUSE_PROGRAM, 0, SL_KERNEL_BASE,
                      SL_KERNEL_BASE < graph.limits.heap_base ? graph.limits.heap_base
                                                              : graph.limits.heap_limit);
    /* Half of the table would be outside. */
    graph.program->reconvergence = graph.limits.heap_limit - TEST_CODE_BYTES;
    test_graph_refuse(&graph, SL_REFUSE_PROGRAM, 0, graph.program->reconvergence,
                      graph.limits.heap_limit);
    /* The table of live registers, where there is one, is twice as long. */
    graph = make();
    graph.program->liveness = graph.limits.heap_limit - 2 * TEST_CODE_BYTES;
    test_graph_refuse(&graph, SL_REFUSE_PROGRAM, 0, graph.program->liveness,
                      graph.limits.heap_limit);
    graph.program->liveness = graph.program->reconvergence + 4;
    test_graph_refuse(&graph, SL_REFUSE_PROGRAM, 0, graph.program->liveness,
                      graph.program->reconvergence);
}

TEST(test_kernels)
{
    const uint64_t end = SL_KERNEL_BASE + TEST_CODE_BYTES;
    struct test_graph graph = make();

    graph.kernels[1].entry = SL_KERNEL_BASE - 4;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_ENTRY, 1, SL_KERNEL_BASE - 4, SL_KERNEL_BASE);
    graph.kernels[1].entry = end;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_ENTRY, 1, end, end);
    graph.kernels[1].entry = SL_KERNEL_BASE + 5;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_ENTRY, 1, SL_KERNEL_BASE + 5, SL_KERNEL_BASE + 4);
    graph = make();
    graph.kernels[0].argument_count = SL_KERNEL_ARGUMENTS + 1;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_ARGUMENTS, 0, SL_KERNEL_ARGUMENTS + 1,
                      SL_KERNEL_ARGUMENTS);
    graph = make();
    graph.kernels[1].resident = SL_KERNEL_RESIDENT_MAX;
    test_graph_accept(&graph);
    graph.kernels[1].resident++;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_RESIDENT, 1, SL_KERNEL_RESIDENT_MAX + 1,
                      SL_KERNEL_RESIDENT_MAX);
    graph = make();
    graph.channels[0].kernel = 1;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_UNUSED, 0, 0, 3);
}

TEST(test_channel_shape)
{
    static const struct {
        size_t field;
        uint32_t value;
        enum sl_refusal reason;
        uint64_t found;
        uint64_t limit;
    } cases[] = {
#define CASE(field, value, reason, found, limit)                                                   \
    {offsetof(struct sl_channel, field), value, SL_REFUSE_CHANNEL_##reason, found, limit}
        CASE(width, 0, WIDTH, 0, 64),
        CASE(width, 32, WIDTH, 32, 64),
        CASE(width, 255, WIDTH, 255, 256),
        CASE(width, 1u << 25, WIDTH, 1u << 25, 1u << 24),
        CASE(width, UINT32_MAX, WIDTH, UINT32_MAX, 1u << 24),
        CASE(stride, 0, STRIDE, 0, 4),
        CASE(stride, 6, STRIDE, 6, 8),
        CASE(stride, 65540, STRIDE, 65540, 65536),
        CASE(stride, UINT32_MAX, STRIDE, UINT32_MAX, 65536),
        CASE(stride_reciprocal, 5, RECIPROCAL, 5, SL_STRIDE_RECIPROCAL(8)),
        CASE(done_shift, 9, GROUP, 512, 256),
        CASE(done_shift, 32, GROUP, 1ull << 32, 256),
        CASE(done_shift, 64, GROUP, UINT64_MAX, 256),
        CASE(fan_out, 0, FAN_OUT, 0, 1),
        CASE(fan_out, 257, FAN_OUT, 257, 256),
        CASE(slack, 0, FAN_OUT, 0, 1),
        CASE(kernel, 2, KERNEL, 2, 2),
        CASE(predicate, 4, PREDICATE, 4, SL_PREDICATE_ALWAYS),
#undef CASE
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct test_graph graph = make();
        *(uint32_t *)((uint8_t *)&graph.channels[0] + cases[i].field) = cases[i].value;
        test_graph_refuse(&graph, cases[i].reason, 0, cases[i].found, cases[i].limit);
    }
}

/* The variants of the core paper's section 8.1: channel 2 has width 1024, stride 64, fan-out 3. */
TEST(test_channel_variants)
{
    struct test_graph graph = make();
    struct sl_channel *channel = &graph.channels[2];

    channel->flags = SL_CHANNEL_WORKITEM;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_RESERVATION, 2, 0, SL_RESERVE_WORKITEM);
    channel->reservation = SL_RESERVE_WORKITEM;
    test_graph_limits(&graph);
    test_graph_accept(&graph);
    channel->flags = 0;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_RESERVATION, 2, SL_RESERVE_WORKITEM, 0);
    channel->reservation = SL_RESERVE_WAVEFRONT;
    channel->flags = 0x20 | SL_CHANNEL_PADDED;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_VARIANT, 2, 0x20 | SL_CHANNEL_PADDED,
                      SL_CHANNEL_PADDED);
    channel->flags = SL_CHANNEL_PADDED | SL_CHANNEL_SOA;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_VARIANT, 2, SL_CHANNEL_PADDED | SL_CHANNEL_SOA,
                      SL_CHANNEL_SOA);

    channel->flags = SL_CHANNEL_PADDED;
    test_graph_limits(&graph);
    test_graph_accept(&graph);
    channel->data += 8;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_ARRAY, 2, channel->data, channel->data - 8);
    channel->data -= 8;
    channel->stride = 68;
    channel->stride_reciprocal = SL_STRIDE_RECIPROCAL(68);
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_LAYOUT, 2, 68, 128);

    /* Structure of arrays: 16 bytes x (1024 + 64) and handles of 4 bytes. */
    channel->flags = SL_CHANNEL_SOA;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_LAYOUT, 2, 68, 4);
    channel->stride = 4;
    channel->stride_reciprocal = SL_STRIDE_RECIPROCAL(4);
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_LAYOUT, 2, 0, 4); /* element_bytes */
    channel->element_bytes = 18;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_LAYOUT, 2, 18, 20);
    channel->element_bytes = SL_CHANNEL_STRIDE_MAX + 4;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_LAYOUT, 2, SL_CHANNEL_STRIDE_MAX + 4,
                      SL_CHANNEL_STRIDE_MAX);
    channel->element_bytes = 16;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_LAYOUT, 2, 2, 64); /* slack */
    channel->slack = 64;
    test_graph_accept(&graph);
    /* All of the fields' arrays have to be in the heap, not only the handles. */
    channel->data = (graph.limits.heap_limit - (1024 + 64) * 16) & ~63ull;
    test_graph_accept(&graph);
    channel->data += 64;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_ARRAY, 2, channel->data, graph.limits.heap_limit);
    graph = make();
    channel = &graph.channels[2];
    channel->element_bytes = 64;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_LAYOUT, 2, 64, 0);
}

/* A stamped channel of which the host has put in two elements and one. */
TEST(test_channel_stamps)
{
    struct test_graph graph = test_graph_fib(256, SL_CHANNEL_STAMPED, 1000);
    struct sl_channel *channel = &graph.channels[0];
    uint64_t *const stamps = (uint64_t *)(uintptr_t)channel->stamps;
    const uint64_t second = (1ull << 32) + 1002;
    const uint64_t end = (2ull << 32) + 1003;
    channel->data_head = 1000 & ~63u;

    test_graph_accept(&graph);
    stamps[0] = 1002;
    stamps[1] = second + 1;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_STAMPS, 0, 1000, 1000); /* before it was reserved */
    channel->control_reserve = end;
    channel->control_tail = channel->data_tail = 1003;
    test_graph_accept(&graph);
    stamps[1] = 0;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_STAMPS, 0, second, end);
    stamps[1] = second + 2; /* more than is ready */
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_STAMPS, 0, second, end);
    stamps[1] = second + 1;
    channel->control_reserve = end + 1;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_STAMPS, 0, end, end + 1);
    channel->control_reserve = end;
    stamps[2] = end + 64;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_STAMPS, 0, end, end);
    stamps[2] = 0;

    const uint64_t good = channel->stamps;
    channel->stamps = 0;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_ARRAY, 0, 0, graph.limits.heap_base);
    channel->stamps = graph.limits.heap_limit - 512 * 8 + 8;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_ARRAY, 0, channel->stamps, graph.limits.heap_limit);
    channel->stamps = channel->control;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_STAMPS, 0, 1000, end);
    channel->stamps = good;

    graph.kernels[0].flags = 0;
    test_graph_refuse(&graph, SL_REFUSE_EDGE_STAMPS, 0, 0, SL_CHANNEL_STAMPED);
    graph.kernels[0].flags = SL_KERNEL_STAMPED;
    channel->flags = SL_CHANNEL_STAMPED | SL_CHANNEL_WORKITEM;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_VARIANT, 0, channel->flags, SL_CHANNEL_STAMPED);
    graph = test_graph_fib(256, 0, 0);
    graph.kernels[0].flags = SL_KERNEL_STAMPED;
    test_graph_refuse(&graph, SL_REFUSE_EDGE_STAMPS, 0, SL_KERNEL_STAMPED, 0);
}

TEST(test_channel_arrays)
{
    struct test_graph graph = make();
    struct sl_channel *channel = &graph.channels[2];
    struct {
        uint64_t *address;
        uint64_t bytes;
        uint64_t align;
    } arrays[] = {
        {&channel->data, 1026 * 64, 8},
        {&channel->control, 2048 * 4, 4},
        {&channel->done, 1024 * 4, 4},
    };
    for (size_t i = 0; i < 3; i++) {
        const uint64_t good = *arrays[i].address;
        const uint64_t last = graph.limits.heap_limit - arrays[i].bytes;
        *arrays[i].address = last;
        test_graph_accept(&graph);
        *arrays[i].address = last + arrays[i].align;
        test_graph_refuse(&graph, SL_REFUSE_CHANNEL_ARRAY, 2, last + arrays[i].align,
                          graph.limits.heap_limit);
        *arrays[i].address = graph.limits.heap_base - arrays[i].align;
        test_graph_refuse(&graph, SL_REFUSE_CHANNEL_ARRAY, 2,
                          graph.limits.heap_base - arrays[i].align, graph.limits.heap_base);
        *arrays[i].address = good + arrays[i].align / 2;
        test_graph_refuse(&graph, SL_REFUSE_CHANNEL_ARRAY, 2, good + arrays[i].align / 2, good);
        *arrays[i].address = UINT64_MAX - 7;
        test_graph_refuse(&graph, SL_REFUSE_CHANNEL_ARRAY, 2, UINT64_MAX - 7,
                          graph.limits.heap_limit);
        *arrays[i].address = good;
    }
    /* The largest array that the fields can describe does not overflow. */
    channel->width = SL_CHANNEL_WIDTH_MAX;
    channel->stride = SL_CHANNEL_STRIDE_MAX;
    channel->stride_reciprocal = SL_STRIDE_RECIPROCAL(SL_CHANNEL_STRIDE_MAX);
    channel->slack = UINT32_MAX;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_ARRAY, 2, channel->data, graph.limits.heap_limit);
}

TEST(test_overlaps)
{
    struct test_graph graph = make();
    struct sl_channel *channels = graph.channels;

    /* The data arrays of two channels. */
    uint64_t good = channels[2].data;
    channels[2].data = channels[1].data + 128 * 12 - 8;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_OVERLAP, 2, channels[2].data, channels[1].data);
    channels[2].data = good;
    /* One channel's own arrays. */
    good = channels[0].done;
    channels[0].done = channels[0].control + 2 * 256 * 4 - 4;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_OVERLAP, 0, channels[0].done, channels[0].control);
    channels[0].done = good;
    /* An array and the graph; an array and the edges. */
    good = channels[1].done;
    channels[1].done = graph.limits.heap_base + 128 + 64;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_OVERLAP, 1, channels[1].done,
                      graph.limits.heap_base);
    channels[1].done = graph.graph->edges + 3 * sizeof(struct sl_edge) - 4;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_OVERLAP, 1, channels[1].done, graph.graph->edges);
    /* Directly behind one another is no overlap. */
    channels[1].done = graph.graph->edges + 3 * sizeof(struct sl_edge);
    test_graph_accept(&graph);
    channels[1].done = good;
}

TEST(test_counters)
{
    struct test_graph graph = make();
    struct sl_channel *channel = &graph.channels[0];

    channel->data_tail = 257;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_COUNTERS, 0, 257, 0);
    channel->data_tail = 256;
    channel->control_reserve = 256;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_COUNTERS, 0, 256, 0);
    channel->control_tail = 256;
    test_graph_accept(&graph);
    channel->control_reserve = 257;
    channel->control_tail = 257;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_COUNTERS, 0, 257, 256);
    /* Head past tail. */
    channel->control_reserve = 5;
    channel->control_tail = 5;
    channel->control_head = 6;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_COUNTERS, 0, UINT64_MAX, 256);
    /* Counters that wrap between head and tail are fine, a head inside a group is not. */
    graph = make();
    channel->data_head = 0ull - 64;
    channel->data_tail = 30;
    channel->control_head = UINT64_MAX;
    channel->control_tail = 9;
    channel->control_reserve = 9;
    test_graph_accept(&graph);
    channel->data_head = 0ull - 63;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_COUNTERS, 0, 0ull - 63, 0ull - 64);
}

TEST(test_edges)
{
    struct test_graph graph = make();

    graph.edges[2].kernel = 2;
    test_graph_refuse(&graph, SL_REFUSE_EDGE_NODE, 2, 2, 2);
    graph = make();
    graph.edges[1].channel = 3;
    test_graph_refuse(&graph, SL_REFUSE_EDGE_NODE, 1, 3, 3);
    graph = make();
    graph.edges[0].fan_out = 0;
    test_graph_refuse(&graph, SL_REFUSE_EDGE_FAN_OUT, 0, 0, 1);
    graph.edges[0].fan_out = 2;
    test_graph_refuse(&graph, SL_REFUSE_EDGE_FAN_OUT, 0, 2, 1);
}

/* The tables that kernels look their edges up in: edge 0 is from kernel 0 to channel 1 with fan-out
 * 1, edge 1 from kernel 0 to channel 2 with fan-out 3, edge 2 from kernel 1 to channel 0 with 2. */
TEST(test_limits)
{
    struct test_graph graph = make();
    const uint64_t good = graph.kernels[1].limits;
    struct sl_limit *limits = (struct sl_limit *)(uintptr_t)graph.kernels[0].limits;

    assert_int_equal(limits[0].fan_out, 0);
    assert_int_equal(limits[0].reservation, SL_RESERVE_NONE);
    assert_int_equal(limits[1].fan_out, 1);
    assert_int_equal(limits[1].reservation, SL_RESERVE_WAVEFRONT);
    assert_int_equal(limits[2].fan_out, 3);

    graph.kernels[1].limits = 0;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_LIMITS, 1, 0, graph.limits.heap_base);
    graph.kernels[1].limits = graph.limits.heap_limit - 16;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_LIMITS, 1, graph.limits.heap_limit - 16,
                      graph.limits.heap_limit);
    graph.kernels[1].limits = good + 4;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_LIMITS, 1, good + 4, good);
    graph.kernels[1].limits = good;
    graph.kernels[1].limit_count = 2;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_LIMITS, 1, 2, 3);
    graph.kernels[1].limit_count = 3;
    test_graph_accept(&graph);

    /* More than the edge, less, an edge that is not there, and one that is there left out. */
    limits[1].fan_out = 2;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_LIMIT, 0, 1ull << 32 | 2, 1);
    limits[1].fan_out = 0;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_LIMIT, 0, 1ull << 32 | 0, 1);
    test_graph_limits(&graph);
    limits[0] = (struct sl_limit){2, SL_RESERVE_WAVEFRONT};
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_LIMIT, 0, 2, 0);
    limits[0].fan_out = 0;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_LIMIT, 0, SL_RESERVE_WAVEFRONT, SL_RESERVE_NONE);
    test_graph_limits(&graph);
    limits[2].reservation = SL_RESERVE_WORKITEM;
    test_graph_refuse(&graph, SL_REFUSE_KERNEL_LIMIT, 0, 2ull << 32 | SL_RESERVE_WORKITEM,
                      SL_RESERVE_WAVEFRONT);
    test_graph_limits(&graph);
    test_graph_accept(&graph);

    /* Of two edges to one channel the larger one counts. */
    graph.edges[0] = (struct sl_edge){.kernel = 0, .channel = 2, .fan_out = 2};
    test_graph_limits(&graph);
    assert_int_equal(limits[1].fan_out, 0);
    assert_int_equal(limits[2].fan_out, 3);
    test_graph_accept(&graph);

    /* Two kernels' tables in one place, and a table in a channel's array. */
    graph = make();
    graph.kernels[1].limits = graph.kernels[0].limits;
    for (uint32_t i = 0; i < 3; i++) {
        graph.edges[i] = (struct sl_edge){.kernel = i % 2, .channel = 1, .fan_out = 1};
    }
    test_graph_limits(&graph);
    test_graph_refuse(&graph, SL_REFUSE_TABLE_ADDRESS, 0, graph.kernels[0].limits,
                      graph.kernels[0].limits);
    graph.kernels[1].limits = graph.channels[0].data + 8;
    test_graph_limits(&graph);
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_OVERLAP, 0, graph.channels[0].data,
                      graph.kernels[1].limits);
}

/* docs/know/design.md, "Width": 64 lanes x fan-out 2 + 64 - 1 = 191, so that 256 elements do and
 * 128 do not. */
TEST(test_demand)
{
    struct test_graph graph = test_graph_fib(256, 0, 0);
    test_graph_accept(&graph);
    graph = test_graph_fib(128, 0, 0);
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_NARROW, 0, 128, 256);
    graph = test_graph_fib(64, 0, 0);
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_NARROW, 0, 64, 256);
    graph = test_graph_fib(64, SL_CHANNEL_NARROW, 0);
    test_graph_accept(&graph);
    graph = test_graph_fib(128, 0, 0);
    graph.limits.lanes = 32; /* 64 + 63 = 127 */
    test_graph_accept(&graph);
    graph.channels[0].done_shift = 7;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_NARROW, 0, 128, 256);
}

/* As many channels as there may be: the search for overlaps sorts 3,141 ranges. */
TEST(test_many)
{
    static struct test_channel channels[SL_GRAPH_CHANNELS];
    for (uint32_t i = 0; i < SL_GRAPH_CHANNELS; i++) {
        channels[i] = (struct test_channel){
            .width = 64, .stride = 8, .done_shift = 6, .fan_out = 1, .kernel = i % 64};
    }
    struct test_graph graph =
        test_graph_make(channels, SL_GRAPH_CHANNELS, SL_GRAPH_KERNELS, NULL, 0, 64);
    test_graph_accept(&graph);
    /* In any order of addresses. */
    for (uint32_t i = 0; i < SL_GRAPH_CHANNELS; i++) {
        const uint32_t other = i * 389 % SL_GRAPH_CHANNELS;
        const uint64_t saved = graph.channels[i].data;
        graph.channels[i].data = graph.channels[other].data;
        graph.channels[other].data = saved;
    }
    test_graph_accept(&graph);
    graph.channels[700].done = graph.channels[3].control + 8;
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_OVERLAP, 700, graph.channels[700].done,
                      graph.channels[3].control);
}
