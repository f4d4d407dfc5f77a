/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What scheduling policies demand of graphs. Freestanding: the firmware checks the same. */
#include "check/graph/policy_check.h"

#include "check/graph/channels.h"

const char *const sl_policy_names[SL_SCHEDULER_COUNT] = {
#define SL_POLICY(NAME, name, value, graphs, flags, text) [SL_SCHEDULER_##NAME] = #name,
#include "contract/policies.def"
#undef SL_POLICY
};

/* Of hal/contract/policies.def. */
enum graphs { PLAIN, LEVELS };

static const enum graphs graphs_of[SL_SCHEDULER_COUNT] = {
#define SL_POLICY(NAME, name, value, graphs, flags, text) [SL_SCHEDULER_##NAME] = (graphs),
#include "contract/policies.def"
#undef SL_POLICY
};

static const uint32_t flags_of[SL_SCHEDULER_COUNT] = {
#define SL_POLICY(NAME, name, value, graphs, flags, text) [SL_SCHEDULER_##NAME] = (flags),
#include "contract/policies.def"
#undef SL_POLICY
};

uint32_t sl_policy_flags(uint32_t scheduler)
{
    return flags_of[scheduler];
}

bool sl_policy_has_levels(uint32_t scheduler)
{
    return graphs_of[scheduler] == LEVELS;
}

static uint32_t first_with_levels(void)
{
    uint32_t scheduler = 0;
    while (!sl_policy_has_levels(scheduler)) {
        scheduler++;
    }
    return scheduler;
}

/* Continuations need a policy that knows levels. */
static int check_plain(const struct sl_graph *graph, struct sl_graph_refusal *refusal)
{
    const struct sl_channel *channels = sl_graph_channels(graph);

    for (uint32_t i = 0; i < graph->channel_count; i++) {
        if (channels[i].role != SL_ROLE_PLAIN) {
            return sl_refuse(refusal, SL_REFUSE_SCHEDULER_LEVELS, i, graph->scheduler,
                             first_with_levels());
        }
    }
    return 0;
}

/* A wavefront that has yielded keeps its block, and what it waits for has to have one, too
 * (docs/know/scheduling.md, "Order of waiting"). */
static int check_levels(const struct sl_graph *graph, const struct sl_graph_limits *limits,
                        struct sl_graph_refusal *refusal, struct sl_graph_order *order)
{
    uint32_t edge;

    if (sl_graph_order(graph, order, &edge) != 0) {
        const struct sl_edge *edges = (const struct sl_edge *)(uintptr_t)graph->edges;
        return sl_refuse(refusal, SL_REFUSE_EDGE_CIRCLE, edge, edges[edge].channel,
                         edges[edge].kernel);
    }
    if (limits->pool_blocks < sl_graph_blocks(order)) {
        return sl_refuse(refusal, SL_REFUSE_POOL, 0, limits->pool_blocks, sl_graph_blocks(order));
    }
    return 0;
}

int sl_policy_check(const struct sl_graph *graph, const struct sl_graph_limits *limits,
                    struct sl_graph_refusal *refusal, struct sl_graph_order *order)
{
    const uint32_t flags = flags_of[graph->scheduler];

    if ((graph->policy_flags & ~flags) != 0) {
        return sl_refuse(refusal, SL_REFUSE_POLICY_FLAGS, graph->scheduler, graph->policy_flags,
                         flags);
    }
    return sl_policy_has_levels(graph->scheduler) ? check_levels(graph, limits, refusal, order)
                                                  : check_plain(graph, refusal);
}
