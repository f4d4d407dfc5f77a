/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Graphs for unit tests of the firmware, in memory of the test. */
#ifndef SLUICE_TESTS_FIRMWARE_GRAPH_H
#define SLUICE_TESTS_FIRMWARE_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "check/graph/graph_check.h"

#define TEST_CODE_BYTES 256u

struct test_channel {
    uint32_t width;
    uint32_t stride;
    uint32_t done_shift;
    uint32_t fan_out;
    uint32_t kernel;
    uint32_t flags;
    uint64_t first; /* where its counters start */
};

struct test_graph {
    struct sl_graph *graph;
    struct sl_channel *channels;
    struct sl_kernel *kernels;
    struct sl_edge *edges;
    struct sl_program *program;
    struct sl_graph_limits limits; /* the whole arena is the heap */
};

/* Lays a good graph out in the arena: these channels, and the edges kernel -> channel of *edges. */
struct test_graph test_graph_make(const struct test_channel *channels, uint32_t channel_count,
                                  uint32_t kernel_count, const struct sl_edge *edges,
                                  uint32_t edge_count, uint32_t lanes);

/* Makes the kernels' tables of limits say what the edges and channels say now. */
void test_graph_limits(struct test_graph *graph);

/* The next bytes of the arena, zero, aligned to 64. */
void *test_graph_alloc(size_t bytes);

/* One channel and one kernel that puts two elements into it: Figure 7 of the core paper. */
struct test_graph test_graph_fib(uint32_t width, uint32_t flags, uint64_t first);

/* Host-side talloc and enq of one 8-byte element. */
void test_graph_put(struct test_graph *graph, uint32_t channel, uint64_t value);

/* The check lets the graph pass; or refuses it with these. */
void test_graph_accept(const struct test_graph *graph);
void test_graph_refuse(const struct test_graph *graph, enum sl_refusal reason, uint32_t node,
                       uint64_t value, uint64_t limit);

#endif
