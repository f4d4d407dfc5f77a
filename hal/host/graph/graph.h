/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channel-flow graphs: built by the host program, placed in shared memory, checked, filled. This is
 * what the other folders use of them, beside host/sluice.h; struct sl_graph_builder is private
 * (builder.h).
 *
 *     builder.c, stack.c    nodes and edges, as the host program says them
 *     place.c               the graph in shared memory, checked
 *     elements.c            host-side talloc and enq; elements before and after a run
 *     names.c               what messages call its parts, and why it is refused
 *     footprint.c           memory that channels take
 *
 * Depends on machine, load and text, and on the checks of hal/graph. */
#ifndef SLUICE_HOST_GRAPH_H
#define SLUICE_HOST_GRAPH_H

#include "graph/refusal.h"
#include "host/graph/footprint.h"
#include "host/sluice.h"

#define SL_GRAPH_NAME_BYTES 64

/* The machine's graph at a shared address, or NULL. */
struct sl_graph_builder *sl_graph_at(struct sl_soc *soc, uint64_t address);

struct sl_soc *sl_graph_soc(const struct sl_graph_builder *graph);

/* SL_OK where a prepared graph may be executed as it is; else SL_ERROR_USAGE with a message. */
SL_MUST_USE enum sl_status sl_graph_check_filled(struct sl_graph_builder *graph);

/* Notes where the channels stand in front of a run; what they take, and would take without yield,
 * for the elements of the run since then, once it is complete. The graph must be placed. */
void sl_graph_mark(struct sl_graph_builder *graph);
struct sl_footprint sl_graph_footprint(const struct sl_graph_builder *graph);

/* The run ended otherwise than by completion: the channels hold what was left. */
void sl_graph_set_broken(struct sl_graph_builder *graph);

/* "channel 0 'fib'", "kernel 0 'fib_kernel'", by number. Here and below the graph may be NULL. */
struct sl_graph_label {
    char text[SL_GRAPH_NAME_BYTES + 32];
};
struct sl_graph_label sl_graph_channel_label(const struct sl_graph_builder *graph,
                                             uint64_t channel);
struct sl_graph_label sl_graph_kernel_label(const struct sl_graph_builder *graph, uint64_t kernel);

/* The name of a channel, by number, and of the kernel whose struct sl_kernel is at an address. NULL
 * where there is none. */
const char *sl_graph_channel_name(const struct sl_graph_builder *graph, uint64_t channel);
const char *sl_graph_kernel_name_at(const struct sl_graph_builder *graph, uint64_t address);

/* A channel in shared memory, and the edge to it from the kernel at an address; NULL where there is
 * none. */
const struct sl_channel *sl_graph_find_channel(const struct sl_graph_builder *graph,
                                               uint64_t channel);
const struct sl_edge *sl_graph_find_edge(const struct sl_graph_builder *graph,
                                         uint64_t kernel_address, uint64_t channel);

/* What the machine allows, as the firmware reads it from registers: graphs and launches. */
struct sl_graph_limits sl_graph_limits_of(const struct sl_soc *soc);

/* Why a graph is refused: "channel 0 'fib': width 100 is not a power of two from 64 to 16777216;
 * 128 would be one". The configuration may be NULL, too. */
void sl_graph_refusal_text(const struct sl_config *config, const struct sl_graph_builder *graph,
                           const struct sl_graph_refusal *refusal, char *out, size_t bytes);

#endif
