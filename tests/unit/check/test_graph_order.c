/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The order of waiting in graphs of channel stacks (hal/check/graph/waiting_order.h), worked out by
 * hand. */
#include "check/graph/policy_check.h"
#include "check/graph/waiting_order.h"
#include "common/check.h"
#include "unit/common/firmware_graph.h"

#define LEVELS       3
#define STACKS_MAX   4
#define CHANNELS_MAX (STACKS_MAX * LEVELS)

static struct test_graph graph;
static struct sl_graph_order order;

/* An edge of a stack's kernel into all levels of a stack, as sl_graph_output_stack() makes them. */
struct stack_edge {
    uint32_t kernel;
    uint32_t stack;
    uint32_t level_offset;
};

/* Stacks of LEVELS levels, each with a kernel of its own; bit k of `yields`: kernel k may. */
static void make(uint32_t stacks, uint32_t yields, const struct stack_edge *outputs, uint32_t count)
{
    struct test_channel channels[CHANNELS_MAX];
    struct sl_edge edges[CHANNELS_MAX * STACKS_MAX];

    for (uint32_t i = 0; i < stacks * LEVELS; i++) {
        channels[i] = (struct test_channel){
            .width = 128, .stride = 8, .done_shift = 6, .fan_out = 1, .kernel = i / LEVELS};
    }
    for (uint32_t i = 0; i < count * LEVELS; i++) {
        const struct stack_edge *output = &outputs[i / LEVELS];
        edges[i] = (struct sl_edge){.kernel = output->kernel,
                                    .channel = output->stack * LEVELS + i % LEVELS,
                                    .fan_out = 1,
                                    .level_offset = output->level_offset};
    }
    graph = test_graph_make(channels, stacks * LEVELS, stacks, edges, count * LEVELS, 64);
    graph.graph->scheduler = SL_SCHEDULER_LEVELIZED;
    for (uint32_t i = 0; i < stacks * LEVELS; i++) {
        graph.channels[i].role = SL_ROLE_PRE_SPAWN;
        graph.channels[i].level = i % LEVELS;
        graph.channels[i].levels = LEVELS;
    }
    for (uint32_t i = 0; i < stacks; i++) {
        graph.kernels[i].flags = yields >> i & 1 ? SL_KERNEL_YIELDS : 0;
    }
}

static void expect_order(uint32_t blocks, const uint32_t *reserve)
{
    uint32_t edge;
    assert_int_equal(sl_graph_order(graph.graph, &order, &edge), 0);
    assert_int_equal(sl_graph_blocks(&order), blocks);
    for (uint32_t i = 0; i < graph.graph->channel_count; i++) {
        assert_int_equal(sl_graph_reserve(&order, &graph.channels[i]), reserve[i]);
    }
}

/* Tasks alone, as in Strassen: level 0 waits for 1, that for 2, where nothing waits. */
TEST(test_tasks)
{
    const struct stack_edge edges[] = {{0, 0, 1}};
    make(1, 1, edges, 1);
    expect_order(3, (const uint32_t[]){2, 1, 0});
    graph.limits.pool_blocks = 3;
    test_graph_accept(&graph);
    graph.limits.pool_blocks = 2;
    test_graph_refuse(&graph, SL_REFUSE_POOL, 0, 2, 3);
}

/* Tasks and continuations, as in Fibonacci: tasks of level 2 may wait for continuations of theirs,
 * which need a block, too. */
TEST(test_continuations)
{
    const struct stack_edge edges[] = {{0, 0, 1}, {0, 1, 0}};
    make(2, 1, edges, 2);
    expect_order(4, (const uint32_t[]){3, 2, 1, 0, 0, 0});
}

/* Tasks, two syncs, and merges below them: three steps at each of levels 0 and 1; at level 2
 * nothing but tasks and first syncs can wait, for the syncs of their level. The second one's merges
 * would be at level 3. */
TEST(test_syncs)
{
    const struct stack_edge edges[] = {{0, 0, 1}, {0, 1, 0}, {1, 2, 0},
                                       {1, 3, 1}, {2, 3, 1}, {3, 3, 1}};
    make(4, 0xf, edges, 6);
    expect_order(3 + 3 + 2 + 1, (const uint32_t[]){8, 5, 2, /* tasks */
                                                   7, 4, 1, /* first syncs */
                                                   6, 3, 0, /* second */
                                                   8, 5, 0 /* merges */});
}

/* Kernels that do not yield wait for nothing, and nothing is kept for them but the last block. */
TEST(test_no_yield)
{
    const struct stack_edge edges[] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
    make(2, 0, edges, 3);
    expect_order(1, (const uint32_t[]){0, 0, 0, 0, 0, 0});
    make(2, 1, edges, 3); /* a circle, but continuations do not wait in it */
    expect_order(4, (const uint32_t[]){3, 2, 1, 0, 0, 0});
}

/* Two kernels that may wait for each other within a level, and one that may wait for itself: found
 * where a chain gets longer than there are kernels. */
TEST(test_circle)
{
    const struct stack_edge edges[] = {{0, 1, 0}, {1, 0, 0}};
    make(2, 3, edges, 2);
    test_graph_refuse(&graph, SL_REFUSE_EDGE_CIRCLE, LEVELS, 0, 1);
    const struct stack_edge itself[] = {{0, 0, 1}, {1, 1, 0}};
    make(2, 3, itself, 2);
    test_graph_refuse(&graph, SL_REFUSE_EDGE_CIRCLE, LEVELS + 1, LEVELS + 1, 1);
    graph.graph->scheduler = SL_SCHEDULER_FLAT;
    for (uint32_t i = 0; i < 2 * LEVELS; i++) {
        graph.channels[i].role = SL_ROLE_PLAIN;
        graph.channels[i].level = 0;
        graph.channels[i].levels = 0;
        graph.edges[i].level_offset = 0;
    }
    test_graph_accept(&graph);
}

/* Stacks need a policy that knows levels; a graph without stacks runs under any. */
TEST(test_policies)
{
    const struct stack_edge edges[] = {{0, 0, 1}};
    make(1, 0, edges, 1);
    for (uint32_t policy = 0; policy < SL_SCHEDULER_COUNT; policy++) {
        graph.graph->scheduler = policy;
        if (sl_policy_has_levels(policy)) {
            test_graph_accept(&graph);
        } else {
            test_graph_refuse(&graph, SL_REFUSE_SCHEDULER_LEVELS, 0, policy,
                              SL_SCHEDULER_LEVELIZED);
        }
    }
    assert_true(sl_policy_has_levels(SL_SCHEDULER_LEVELIZED));
    assert_false(sl_policy_has_levels(SL_SCHEDULER_FLAT));
    graph = test_graph_fib(256, 0, 0);
    for (uint32_t policy = 0; policy < SL_SCHEDULER_COUNT; policy++) {
        graph.graph->scheduler = policy;
        test_graph_accept(&graph);
    }
}

/* Every bit by itself: a policy gets the flags that it knows. */
TEST(test_policy_flags)
{
    graph = test_graph_fib(256, 0, 0);
    for (uint32_t policy = 0; policy < SL_SCHEDULER_COUNT; policy++) {
        graph.graph->scheduler = policy;
        for (uint32_t bit = 0; bit < 32; bit++) {
            graph.graph->policy_flags = 1u << bit;
            if ((sl_policy_flags(policy) >> bit & 1) != 0) {
                test_graph_accept(&graph);
            } else {
                test_graph_refuse(&graph, SL_REFUSE_POLICY_FLAGS, policy, 1u << bit,
                                  sl_policy_flags(policy));
            }
        }
    }
    assert_int_equal(sl_policy_flags(SL_SCHEDULER_FLAT), SL_POLICY_THROTTLE);
    assert_int_equal(sl_policy_flags(SL_SCHEDULER_LEVELIZED) & SL_POLICY_DRAINED,
                     SL_POLICY_DRAINED);
}
