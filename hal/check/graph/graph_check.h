/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Checks a channel-flow graph before anything runs it (docs/know/design.md, "Checks").
 *
 * The host library and the firmware call the same function, so that what one accepts the other does
 * too. A pure function over shared memory: addresses in the graph are used as pointers, and none is
 * followed before it was found to lie inside the shared heap. */
#ifndef SLUICE_CHECK_GRAPH_GRAPH_CHECK_H
#define SLUICE_CHECK_GRAPH_GRAPH_CHECK_H

#include <stdint.h>

#include "check/graph/check_scratch.h"
#include "check/graph/refusal.h"
#include "sluice/layouts.h"

/* Checks everything that enum sl_refusal names. Returns 0 where the graph may run; -1 with *refusal
 * filled where it may not. The counters of its channels must stand still meanwhile. */
int sl_graph_check(const struct sl_graph *graph, const struct sl_graph_limits *limits,
                   struct sl_graph_refusal *refusal, struct sl_graph_scratch *scratch);

/* The part of it that concerns a program and one kernel, with at most `arguments_max` arguments,
 * for kernels that are not of a graph (hal/check/launch). */
int sl_graph_check_kernel(uint64_t program, const struct sl_kernel *kernel, uint32_t arguments_max,
                          const struct sl_graph_limits *limits, struct sl_graph_refusal *refusal,
                          struct sl_graph_scratch *scratch);

#endif
