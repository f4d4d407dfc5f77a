/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is compared with the descriptions of graphs and launches, and why one is refused. */
#ifndef SLUICE_CHECK_GRAPH_REFUSAL_H
#define SLUICE_CHECK_GRAPH_REFUSAL_H

#include <stdint.h>

#include "sluice/codes.h"

/* What the machine allows. */
struct sl_graph_limits {
    uint64_t heap_base;   /* first address of the shared heap */
    uint64_t heap_limit;  /* first address behind it */
    uint32_t lanes;       /* of a wavefront */
    uint32_t pool_blocks; /* of the wavefront state pool */
    uint32_t lds_bytes;   /* of a compute unit */
};

/* Why a graph is refused. `node` is the index of the channel, kernel or edge that the reason is
 * about (0 for the graph itself); `value` is what was found and `limit` what it was compared with:
 * the nearest allowed value, the end of the allowed region, or, where two things contradict or
 * overlap each other, the other one. SL_REFUSE_KERNEL_LIMIT: `value` has the channel in its upper
 * half and in its lower one the word of struct sl_limit that was found, `limit` the right one. */
struct sl_graph_refusal {
    enum sl_refusal reason;
    uint32_t node;
    uint64_t value;
    uint64_t limit;
    uint32_t step; /* of a sequence of launches */
};

/* Fills in why; returns -1. */
static inline int sl_refuse(struct sl_graph_refusal *refusal, enum sl_refusal reason, uint32_t node,
                            uint64_t value, uint64_t limit)
{
    *refusal = (struct sl_graph_refusal){reason, node, value, limit, 0};
    return -1;
}

/* Whether so many bytes at an address, a multiple of `align` (a power of two), lie in the shared
 * heap: returns 0; else -1 with *refusal filled for this reason and node. */
static inline int sl_refuse_place(struct sl_graph_refusal *refusal, enum sl_refusal reason,
                                  uint32_t node, const struct sl_graph_limits *limits,
                                  uint64_t address, uint64_t bytes, uint64_t align)
{
    if (address < limits->heap_base) {
        return sl_refuse(refusal, reason, node, address, limits->heap_base);
    }
    if (address > limits->heap_limit || bytes > limits->heap_limit - address) {
        return sl_refuse(refusal, reason, node, address, limits->heap_limit);
    }
    if ((address & (align - 1)) != 0) {
        return sl_refuse(refusal, reason, node, address, address & ~(align - 1));
    }
    return 0;
}

#endif
