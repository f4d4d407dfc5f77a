/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Checks a channel-flow graph before anything runs it (docs/design.md, "Checks").
 *
 * The host library and the firmware call the same function, so that what one accepts the other does
 * too. A pure function over shared memory: addresses in the graph are used as pointers, and none is
 * followed before it was found to lie inside the shared heap. */
#ifndef SLUICE_GRAPH_CHECK_H
#define SLUICE_GRAPH_CHECK_H

#include <stdint.h>

#include "graph/order.h"
#include "sluice/codes.h"
#include "sluice/layouts.h"

/* What the machine allows. */
struct sl_graph_limits {
    uint64_t heap_base;   /* first address of the shared heap */
    uint64_t heap_limit;  /* first address behind it */
    uint32_t lanes;       /* of a wavefront */
    uint32_t pool_blocks; /* of the wavefront state pool */
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

/* Memory that the check works in. About 97 KiB. Of its contents only the order means something to
 * the caller, for a graph that may run and is scheduled by level. */
struct sl_graph_scratch {
    struct sl_graph_range {
        uint64_t begin;
        uint64_t end;
        uint64_t channel; /* SL_GRAPH_CHANNELS for a table of the graph */
    } range[3 * SL_GRAPH_CHANNELS + SL_GRAPH_KERNELS + 6];
    uint64_t demand[SL_GRAPH_CHANNELS];
    struct sl_limit limit[SL_GRAPH_CHANNELS]; /* of one kernel, as its edges say */
    struct sl_graph_order order;
};

/* Checks everything that enum sl_refusal names. Returns 0 where the graph may run; -1 with *refusal
 * filled where it may not. The counters of its channels must stand still meanwhile. */
int sl_graph_check(const struct sl_graph *graph, const struct sl_graph_limits *limits,
                   struct sl_graph_refusal *refusal, struct sl_graph_scratch *scratch);

/* The part of it that concerns a program and one kernel, with at most `arguments_max` arguments,
 * for kernels that are not of a graph (hal/launch). */
int sl_graph_check_kernel(uint64_t program, const struct sl_kernel *kernel, uint32_t arguments_max,
                          const struct sl_graph_limits *limits, struct sl_graph_refusal *refusal,
                          struct sl_graph_scratch *scratch);

/* Bytes of the data array of a channel of this description, but of `width` elements. Cannot
 * overflow where width, stride and element size are in range. */
static inline uint64_t sl_channel_data_bytes(const struct sl_channel *channel, uint64_t width)
{
    const uint64_t each =
        (channel->flags & SL_CHANNEL_SOA) != 0 ? channel->element_bytes : channel->stride;
    return (width + channel->slack) * each;
}

/* The channels of a graph: they follow it in memory. */
static inline struct sl_channel *sl_graph_channels(const struct sl_graph *graph)
{
    return (struct sl_channel *)(uintptr_t)(graph + 1);
}

#endif
