/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The scheduling policies of hal/contract/policies.def: their names and flags, and the check of
 * what each demands of a graph, which is a part of sl_graph_check(). */
#ifndef SLUICE_CHECK_GRAPH_POLICY_CHECK_H
#define SLUICE_CHECK_GRAPH_POLICY_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "check/graph/refusal.h"
#include "check/graph/waiting_order.h"
#include "sluice/layouts.h"

/* By enum sl_scheduler. */
extern const char *const sl_policy_names[SL_SCHEDULER_COUNT];

/* The flags that a policy knows, of enum sl_policy_flag. The value is below SL_SCHEDULER_COUNT. */
uint32_t sl_policy_flags(uint32_t scheduler);

/* Whether a policy knows levels: only then does a graph's order (check/graph/waiting_order.h) mean
 * something. The value is below SL_SCHEDULER_COUNT. */
bool sl_policy_has_levels(uint32_t scheduler);

/* Checks what the graph's policy, of which there is one, demands of a graph whose channels, kernels
 * and edges have passed their checks; works the order out where the policy knows levels. As
 * sl_graph_check(). */
int sl_policy_check(const struct sl_graph *graph, const struct sl_graph_limits *limits,
                    struct sl_graph_refusal *refusal, struct sl_graph_order *order);

#endif
