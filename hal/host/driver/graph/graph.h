/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channel-flow graphs: built by the host program, placed in shared memory, checked, filled. This is
 * what the other folders use of them, beside sluice/sluice.h; struct sl_graph_builder is private
 * (builder.h).
 *
 *     builder.c, channel_stacks.c             nodes and edges, as the host program says them
 *     channel_guards.c                        guards
 *     mistakes.c                              what was wrong in them
 *     graph_layout.c                          the graph in shared memory, checked
 *     protection_ranges.c, address_names.c    what its lanes may access of that; what of it lies at
 * an address graph_snapshot.c                        the host's own copy of it; elements before and
 * after a run elements.c                              host-side talloc and enq graph_audit.c the
 * audit of its channels labels.c                                what messages call its parts, and
 * why it is refused footprint.c                             memory that channels take
 *
 * Depends on machine, load and text, and on the checks of hal/check/graph. */
#ifndef SLUICE_HOST_DRIVER_GRAPH_H
#define SLUICE_HOST_DRIVER_GRAPH_H

#include <stdbool.h>

#include "check/graph/channel_accounting.h"
#include "check/graph/refusal.h"
#include "sluice/sluice.h"

#define SL_GRAPH_NAME_BYTES 64

/* What the channels of a graph take. */
struct sl_footprint {
    uint64_t channel_bytes;    /* of the arrays of all channels */
    uint64_t help_first_bytes; /* the same, had the stacks' channels the widths that they need
                                  without yield; 0 where no channel is of a stack */
};

/* The machine's graph at a shared address, or NULL. */
struct sl_graph_builder *sl_graph_at(struct sl_soc *soc, uint64_t address);

/* The next of the machine's graphs, or NULL. */
struct sl_graph_builder *sl_graph_next(const struct sl_graph_builder *graph);

struct sl_soc *sl_graph_soc(const struct sl_graph_builder *graph);

/* Frees a graph that does not run. */
void sl_graph_free(struct sl_graph_builder *graph);

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

/* The name of the policy that the graph runs with; NULL where the graph is. */
const char *sl_graph_policy_name(const struct sl_graph_builder *graph);

/* The name of a channel, by number, and of the kernel whose struct sl_kernel is at an address. NULL
 * where there is none. */
const char *sl_graph_channel_name(const struct sl_graph_builder *graph, uint64_t channel);

/* The name of the stack that the channel is a level of; "" where it is of none. */
void sl_graph_stack_name(const struct sl_graph_builder *graph, uint64_t channel, char *out,
                         size_t bytes);
const char *sl_graph_kernel_name_at(const struct sl_graph_builder *graph, uint64_t address);

/* The host's own copy of a prepared graph, as it was checked, with its channels behind it; of one
 * channel; and the edge to a channel from the kernel at an address. NULL where there is none. What
 * lies in shared memory may be anything once a kernel has run. The copies' counters mean nothing.
 */
const struct sl_graph *sl_graph_kept(const struct sl_graph_builder *graph);
const struct sl_channel *sl_graph_find_shape(const struct sl_graph_builder *graph,
                                             uint64_t channel);
const struct sl_edge *sl_graph_find_edge(const struct sl_graph_builder *graph,
                                         uint64_t kernel_address, uint64_t channel);

/* Elements of a channel of a prepared graph that have been given back in all, those of groups among
 * them that others keep from being deallocated; counted from where its counters began. That are not
 * given back; those that are in use, these groups among them. */
uint64_t sl_graph_freed(const struct sl_graph_builder *graph, uint32_t channel);
uint64_t sl_graph_unfreed(const struct sl_graph_builder *graph, uint32_t channel);
uint64_t sl_graph_in_use(const struct sl_graph_builder *graph, uint32_t channel);

/* Whether a graph that is complete has been left with elements that are ready: its policy's fault.
 * SL_OK, or SL_ERROR_MACHINE with a message: the graph is broken. */
SL_MUST_USE enum sl_status sl_graph_check_end(struct sl_graph_builder *graph, uint64_t dispatched);

/* Audits the channels of a graph that is complete, of which the firmware says that so many elements
 * were dispatched in the run. SL_OK, or SL_ERROR_MACHINE with a message: the graph is broken. */
SL_MUST_USE enum sl_status sl_graph_audit(struct sl_graph_builder *graph, uint64_t dispatched);

/* Appends who puts elements into a channel, and who takes them: "; its elements are taken by kernel
 * 1 'b', filled by kernel 0 'a'". Nothing where the graph is not known. */
void sl_graph_append_kernels(const struct sl_graph_builder *graph, uint64_t channel, char *out,
                             size_t bytes);

/* Appends what does not balance in a channel: what, element, values, kernels. */
void sl_graph_append_finding(const struct sl_graph_builder *graph, uint64_t channel,
                             const struct sl_audit_finding *finding, char *out, size_t bytes);

/* Appends what to do about a channel that had no space for a wavefront's elements: "; use a wider
 * channel", or, where no element has been given back in the run, that. */
void sl_graph_append_space(const struct sl_graph_builder *graph, uint64_t channel, char *out,
                           size_t bytes);

/* The size of a channel's elements as the host program gave it; 0 where there is no such channel.
 */
size_t sl_graph_element_bytes(const struct sl_graph_builder *graph, int channel);

/* What the machine allows, as the firmware reads it from registers: graphs and launches. */
struct sl_graph_limits sl_graph_limits_of(const struct sl_soc *soc);

/* What lanes of a prepared graph may access of its memory: writes the ranges, SL_GRAPH_RANGES at
 * most, and returns how many they are. */
#define SL_GRAPH_RANGES 5
uint32_t sl_graph_ranges(const struct sl_graph_builder *graph, struct sl_range *ranges);

/* Appends which part of a graph lies at an address: "the done counts of channel 0 'fib'". Returns
 * false, and nothing is appended, where none does. */
bool sl_graph_append_where(const struct sl_graph_builder *graph, uint64_t address, char *out,
                           size_t bytes);

/* Why a graph is refused: "channel 0 'fib': width 100 is not a power of two from 64 to 16777216;
 * 128 would be one". The configuration may be NULL, too. */
void sl_graph_refusal_text(const struct sl_config *config, const struct sl_graph_builder *graph,
                           const struct sl_graph_refusal *refusal, char *out, size_t bytes);

/* ---- footprint ---- */

/* Memory that the channels of a graph take, and what they would take without wavefront yield.
 *
 * The scheduling of channel stacks is help-first: breadth first (core paper, section 5.3). Without
 * yield a talloc may never fail, and a level of tasks is complete before the next one runs, while
 * the continuations of all levels wait for the deepest. As channels are allocated up front (section
 * 5.2), each of them would have to hold all elements that ever come into it. */

/* Sizes in bytes of a channel's arrays (core paper, section 3.2). */
struct sl_channel_arrays {
    uint64_t data;
    uint64_t control;
    uint64_t done;
    uint64_t stamps;
};

/* Those of a channel of this description, but of `width` elements, a power of two and no less than
 * its done-count group. */
struct sl_channel_arrays sl_channel_arrays(const struct sl_channel *channel, uint64_t width);

/* The width that a channel needs without yield: `elements`, which is how many a run puts into it,
 * rounded up to a power of two; no less than SL_CHANNEL_WIDTH_MIN and a done-count group, and no
 * more than 64 bits hold. */
uint64_t sl_help_first_width(const struct sl_channel *channel, uint64_t elements);

/* Of `count` channels; elements[i] came into channel i. */
struct sl_footprint sl_footprint(const struct sl_channel *channels, uint32_t count,
                                 const uint64_t *elements);

#endif
