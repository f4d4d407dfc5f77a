/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The check of guards (hal/check/graph/guard_check.c): good ones pass, every single defect is
 * refused with its reason, its guard, the value found and what it was compared with. */
#include "common/check.h"
#include "sluice/limits.h"
#include "unit/common/firmware_graph.h"

static struct test_graph graph;
static struct sl_guard *guards;

/* Four channels in a row, a kernel each; channel 2 has groups of 64. The last guard is of a channel
 * that has another, and of another kind. */
static void make(void)
{
    static const struct test_channel channels[] = {
        {.width = 256, .stride = 8, .done_shift = 6, .fan_out = 2, .kernel = 0},
        {.width = 128, .stride = 8, .done_shift = 0, .fan_out = 1, .kernel = 1},
        {.width = 256, .stride = 8, .done_shift = 6, .fan_out = 2, .kernel = 2},
        {.width = 256, .stride = 8, .done_shift = 6, .fan_out = 2, .kernel = 3},
    };
    static const struct sl_guard good[] = {
        {.channel = 0, .other = 2, .kind = SL_GUARD_SPACE, .argument = 2},
        {.channel = 1, .other = 0, .kind = SL_GUARD_EMPTY},
        {.channel = 2, .other = 3, .kind = SL_GUARD_EMPTY},
        {.channel = 1, .other = 2, .kind = SL_GUARD_SPACE, .argument = 1},
    };
    graph = test_graph_make(channels, 4, 4, NULL, 0, 64);
    guards = test_graph_alloc(SL_GRAPH_GUARDS * sizeof *guards);
    for (uint32_t i = 0; i < 4; i++) {
        guards[i] = good[i];
    }
    graph.graph->guards = (uint64_t)(uintptr_t)guards;
    graph.graph->guard_count = 4;
}

TEST(test_good)
{
    make();
    test_graph_accept(&graph);
    /* No guards: then their address means nothing. */
    graph.graph->guard_count = 0;
    graph.graph->guards = 12345;
    test_graph_accept(&graph);
}

TEST(test_table)
{
    make();
    graph.graph->guard_count = SL_GRAPH_GUARDS + 1;
    test_graph_refuse(&graph, SL_REFUSE_GRAPH_COUNT, 0, SL_GRAPH_GUARDS + 1, SL_GRAPH_GUARDS);
    make();
    graph.graph->guards += 4;
    test_graph_refuse(&graph, SL_REFUSE_TABLE_ADDRESS, 0, graph.graph->guards,
                      graph.graph->guards - 4);
    graph.graph->guards = graph.limits.heap_limit - 8;
    test_graph_refuse(&graph, SL_REFUSE_TABLE_ADDRESS, 0, graph.limits.heap_limit - 8,
                      graph.limits.heap_limit);
    /* In an array of a channel: guards could change while the graph runs. */
    make();
    graph.graph->guards = graph.channels[3].data;
    test_graph_refuse(&graph, SL_REFUSE_GUARD_ARGUMENT, 0, 0, 1);
    for (uint32_t i = 0; i < 4; i++) {
        ((struct sl_guard *)(uintptr_t)graph.graph->guards)[i] = guards[i];
    }
    test_graph_refuse(&graph, SL_REFUSE_CHANNEL_OVERLAP, 3, graph.channels[3].data,
                      graph.channels[3].data);
}

TEST(test_nodes)
{
    make();
    guards[2].kind = SL_GUARD_COUNT;
    test_graph_refuse(&graph, SL_REFUSE_GUARD_KIND, 2, SL_GUARD_COUNT, SL_GUARD_COUNT - 1);
    make();
    guards[1].channel = 4;
    test_graph_refuse(&graph, SL_REFUSE_GUARD_CHANNEL, 1, 4, 4);
    make();
    guards[3].other = UINT32_MAX;
    test_graph_refuse(&graph, SL_REFUSE_GUARD_CHANNEL, 3, UINT32_MAX, 4);
    /* A kernel that yields may have guards, but nobody may wait for it. */
    make();
    graph.kernels[1].flags = SL_KERNEL_YIELDS;
    test_graph_accept(&graph);
    graph.kernels[3].flags = SL_KERNEL_YIELDS;
    test_graph_refuse(&graph, SL_REFUSE_GUARD_YIELDS, 2, 3, 2);
}

/* Channel 2 has space for 256 - 63 elements once nothing is in it. */
TEST(test_arguments)
{
    make();
    guards[0].argument = 193;
    test_graph_accept(&graph);
    guards[0].argument = 194;
    test_graph_refuse(&graph, SL_REFUSE_GUARD_ARGUMENT, 0, 194, 193);
    guards[0].argument = 0;
    test_graph_refuse(&graph, SL_REFUSE_GUARD_ARGUMENT, 0, 0, 1);
    guards[0].argument = 1;
    guards[1].argument = 1;
    test_graph_refuse(&graph, SL_REFUSE_GUARD_ARGUMENT, 1, 1, 0);
}

/* Channels 0 and 1 as a stack, and one of 0 alone. */
TEST(test_stacks)
{
    make();
    graph.graph->scheduler = SL_SCHEDULER_LEVELIZED;
    for (uint32_t i = 0; i < 2; i++) {
        graph.channels[i] = graph.channels[0];
        graph.channels[i].role = SL_ROLE_PRE_SPAWN;
        graph.channels[i].level = i;
        graph.channels[i].levels = 2;
    }
    graph.channels[1].data = (uint64_t)(uintptr_t)test_graph_alloc((size_t)257 * 8);
    graph.channels[1].control = (uint64_t)(uintptr_t)test_graph_alloc((size_t)512 * 4);
    graph.channels[1].done = (uint64_t)(uintptr_t)test_graph_alloc((size_t)4 * 4);
    graph.channels[2].kernel = 1;
    guards[1] = guards[2];
    graph.graph->guard_count = 3;
    graph.graph->kernel_count = 4;
    graph.kernels[2] = graph.kernels[3];
    graph.channels[3].kernel = 2;
    graph.graph->kernel_count = 3;
    test_graph_accept(&graph);
    guards[0].channel = 1; /* not the stack's first one */
    test_graph_refuse(&graph, SL_REFUSE_GUARD_CHANNEL, 0, 1, 4);
    guards[0].channel = 3;
    guards[0].other = 0;
    test_graph_refuse(&graph, SL_REFUSE_GUARD_STACK, 0, 0, 3);
}

/* Guards that look at the circle from outside, 0 to 2, are not what is wrong. */
TEST(test_circles)
{
    make();
    guards[3] = (struct sl_guard){.channel = 3, .other = 3, .kind = SL_GUARD_EMPTY};
    test_graph_refuse(&graph, SL_REFUSE_GUARD_CIRCLE, 3, 3, 3);
    guards[3].other = 2;
    test_graph_refuse(&graph, SL_REFUSE_GUARD_CIRCLE, 3, 3, 2);
    /* 0 -> 2 -> 3 -> 1 -> 0 */
    guards[3].other = 1;
    test_graph_refuse(&graph, SL_REFUSE_GUARD_CIRCLE, 3, 3, 1);
    /* As many guards as there may be, all in one chain. */
    make();
    for (uint32_t i = 3; i < SL_GRAPH_GUARDS; i++) {
        guards[i] = guards[i % 3];
    }
    graph.graph->guard_count = SL_GRAPH_GUARDS;
    test_graph_accept(&graph);
}
