/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The scheduling policy that a program chooses for its graph, and what policies and predicates are
 * called. */
#include "graph/policy.h"

#include "host/graph/builder.h"

const char *sl_policy_name(unsigned policy)
{
    return policy < SL_SCHEDULER_COUNT ? sl_policy_names[policy] : NULL;
}

const char *sl_predicate_name(unsigned predicate)
{
    static const char *const names[] = {
#define SL_PREDICATE(NAME, name, value, text) [SL_PREDICATE_##NAME] = #name,
#include "regs/predicates.def"
#undef SL_PREDICATE
    };
    return predicate < SL_PREDICATE_COUNT ? names[predicate] : NULL;
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
