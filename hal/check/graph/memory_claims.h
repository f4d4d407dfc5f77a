/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the parts of the graph check have in common: refusals, and memory that a graph claims.
 * Private to hal/check/graph. */
#ifndef SLUICE_CHECK_GRAPH_MEMORY_CLAIMS_H
#define SLUICE_CHECK_GRAPH_MEMORY_CLAIMS_H

#include <stddef.h>

#include "check/graph/check_scratch.h"
#include "check/graph/refusal.h"
#include "sluice/layouts.h"

struct sl_check {
    const struct sl_graph *graph;
    const struct sl_graph_limits *limits;
    struct sl_graph_refusal *refusal;
    struct sl_graph_scratch *scratch;
    size_t range_count;
    uint32_t arguments_max; /* of a kernel */
};

static inline int sl_check_refuse(struct sl_check *check, enum sl_refusal reason, uint32_t node,
                                  uint64_t value, uint64_t limit)
{
    return sl_refuse(check->refusal, reason, node, value, limit);
}

static inline uint64_t sl_check_clamp(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* A range of the shared heap: refused with `reason` where it is not inside or not aligned; else
 * noted for the search for overlaps. `align` is a power of two; `channel` is SL_GRAPH_CHANNELS for
 * a table of the graph. Returns 0, or -1. */
int sl_check_claim(struct sl_check *check, enum sl_refusal reason, uint32_t node, uint32_t channel,
                   uint64_t address, uint64_t bytes, uint64_t align);

#endif
