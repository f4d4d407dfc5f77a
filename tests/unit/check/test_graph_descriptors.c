/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Graphs whose descriptions have random bits flipped and random words replaced: the check refuses
 * them with a reason, or lets them pass; nothing is read outside the heap, and nothing overflows.
 */
#include "check/graph/graph_check.h"
#include "common/check.h"
#include "sluice/codes.h"
#include "unit/common/firmware_graph.h"

#define CASES 6000u

static struct sl_graph_scratch scratch;
static uint64_t random_state = 88172645463325252u;

static uint64_t random64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* A graph with a stack of two levels, a stamped and a plain channel, kernels and edges. */
static struct test_graph make(void)
{
    static const struct test_channel channels[] = {
        {.width = 256, .stride = 8, .done_shift = 6, .fan_out = 2},
        {.width = 512, .stride = 8, .done_shift = 3, .fan_out = 2, .kernel = 1},
        {.width = 512, .stride = 16, .fan_out = 1, .flags = SL_CHANNEL_STAMPED, .kernel = 2},
    };
    static const struct sl_edge edges[] = {
        {.kernel = 0, .channel = 0, .fan_out = 2},
        {.kernel = 0, .channel = 1, .fan_out = 1},
        {.kernel = 1, .channel = 2, .fan_out = 1},
    };
    struct test_graph graph = test_graph_make(channels, 3, 3, edges, 3, 64);
    struct sl_guard *const guard = test_graph_alloc(sizeof *guard);
    *guard = (struct sl_guard){.channel = 0, .other = 1, .kind = SL_GUARD_SPACE, .argument = 1};
    graph.graph->guards = (uintptr_t)guard;
    graph.graph->guard_count = 1;
    return graph;
}

static void damage(const struct test_graph *graph)
{
    const struct {
        void *at;
        size_t bytes;
    } parts[] = {
        {graph->graph, sizeof *graph->graph},
        {graph->channels, 3 * sizeof *graph->channels},
        {graph->kernels, 3 * sizeof *graph->kernels},
        {graph->edges, 3 * sizeof *graph->edges},
        {graph->program, sizeof *graph->program},
        {(void *)(uintptr_t)graph->graph->guards, sizeof(struct sl_guard)},
    };
    const size_t part = random64() % (sizeof parts / sizeof parts[0]);
    const size_t word = random64() % (parts[part].bytes / 4);
    uint32_t *const at = (uint32_t *)parts[part].at + word;

    switch (random64() % 3) {
    case 0:
        *at ^= 1u << random64() % 32;
        break;
    case 1:
        *at = (uint32_t)random64() >> random64() % 32;
        break;
    default:
        *at = (uint32_t)(0 - (random64() % 3));
        break;
    }
}

/* The unharmed graph passes; each harmed one is refused with a reason, or passes. */
TEST(test_graphs)
{
    unsigned refused = 0;
    for (unsigned i = 0; i < CASES; i++) {
        struct sl_graph_refusal refusal = {0};
        const struct test_graph graph = make();
        assert_int_equal(sl_graph_check(graph.graph, &graph.limits, &refusal, &scratch), 0);
        for (uint64_t flips = 1 + random64() % 4; flips > 0; flips--) {
            damage(&graph);
            if (graph.graph->guard_count != 1 || graph.graph->guards % 8 != 0 ||
                graph.graph->guards - graph.limits.heap_base > 1u << 20) {
                break; /* damage() follows it */
            }
        }
        if (sl_graph_check(graph.graph, &graph.limits, &refusal, &scratch) != 0) {
            refused++;
            assert_in_range(refusal.reason, 1, SL_REFUSE_TREES_DELAY);
        }
    }
    assert_in_range(refused, CASES / 4, CASES - 1);
}
