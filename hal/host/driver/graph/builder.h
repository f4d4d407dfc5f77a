/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The graph builder: what a host program has said of a graph, and where the graph is in shared
 * memory. Private to this folder. */
#ifndef SLUICE_HOST_DRIVER_GRAPH_BUILDER_H
#define SLUICE_HOST_DRIVER_GRAPH_BUILDER_H

#include <stdbool.h>

#include "check/graph/channel_accounting.h"
#include "host/driver/code/kernel_arguments.h"
#include "host/driver/graph/graph.h"
#include "sluice/limits.h"

/* What the name of a stack's channel has behind the stack's. */
#define SL_GRAPH_LEVEL " level %u"

struct sl_graph_channel_node {
    char name[SL_GRAPH_NAME_BYTES]; /* "" where it has none */
    size_t element_bytes;
    uint32_t width;
    struct sl_channel_options options; /* done_group resolved; name is not to be used */
    int kernel;                        /* that consumes it, or -1 */
    uint32_t fan_out;                  /* largest of its edges, at least 1 */
    enum sl_channel_role role;
    uint32_t level; /* of a stack */
    uint32_t levels;
    uint64_t pending;   /* elements that the host allocated and has not enqueued */
    uint64_t *reserved; /* a bit for each of them, by its place in the data array, slack included;
                           NULL before the first */
    struct sl_audit_counters before; /* when the last run began */
    uint64_t freed;                  /* given back by then, sl_graph_freed() */
};

struct sl_graph_kernel_node {
    char name[SL_GRAPH_NAME_BYTES];
    int handle;              /* of the module */
    struct sl_kernel kernel; /* without limits; arguments since it is prepared */
    struct sl_arguments arguments;
};

/* Blocks of closed memory of one graph (graph_layout.c). */
enum sl_graph_block_kind {
    SL_GRAPH_DESCRIPTION,
    SL_GRAPH_DATA,
    SL_GRAPH_ACCOUNTING,
    SL_GRAPH_BLOCKS
};

struct sl_graph_block {
    void *memory;   /* NULL: there is none */
    uint64_t bytes; /* whole cache lines */
    uint64_t taken;
};

/* The tables have room for all that is possible; pages that are not used are never touched. */
struct sl_graph_builder {
    struct sl_graph_builder *next; /* of the machine's graphs */
    struct sl_soc *soc;
    struct sl_module *module;

    struct sl_graph_channel_node channels[SL_GRAPH_CHANNELS];
    uint32_t channel_count;
    struct sl_graph_kernel_node kernels[SL_GRAPH_KERNELS];
    uint32_t kernel_count;
    struct sl_edge edges[SL_GRAPH_EDGES];
    uint32_t edge_count;
    struct sl_guard guards[SL_GRAPH_GUARDS];
    uint32_t guard_count;
    bool has_policy; /* that the program chose: */
    enum sl_scheduler policy;
    uint32_t policy_flags;
    char error[1024]; /* of the first call that was wrong, or "" */

    struct sl_graph *shared; /* NULL until it is prepared; kernels may write there: what is
                                followed from then on is below */
    struct sl_kernel *shared_kernels;
    struct sl_graph *kept;           /* as it was placed and checked, its channels behind it */
    const struct sl_channel *shapes; /* these; their counters mean nothing */
    struct sl_graph_block blocks[SL_GRAPH_BLOCKS]; /* its memory in the shared heap */
    uint64_t data_at[SL_GRAPH_CHANNELS];           /* where the data array of each channel is, */
    uint64_t books_at[SL_GRAPH_CHANNELS];          /* and its control array with what follows */
    bool is_broken; /* ended other than by completion: its channels hold what was left */
};

/* Notes a mistake, printf-style; of several the first counts. */
void sl_builder_error(struct sl_graph_builder *graph, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether nodes and edges may still be added; whether there is such a channel, or kernel. `what` is
 * the call that wants to know: its mistake is noted. */
bool sl_builder_is_open(struct sl_graph_builder *graph, const char *what);
bool sl_builder_has_channel(struct sl_graph_builder *graph, const char *what, int channel);
bool sl_builder_has_kernel(struct sl_graph_builder *graph, const char *what, int kernel);

/* Gives all kernels the arguments that were set for them; that they are others than a kernel has is
 * a mistake. */
void sl_builder_place_arguments(struct sl_graph_builder *graph);

/* sl_graph_output(), for a channel that is `level_offset` levels below the kernel's own. */
void sl_builder_output(struct sl_graph_builder *graph, int kernel, int channel, uint32_t fan_out,
                       uint32_t level_offset);

/* Places a graph whose nodes are known in shared memory and fills it in. On failure everything is
 * freed again, and the machine object has the message. */
enum sl_status sl_graph_place(struct sl_graph_builder *graph);

/* Frees what sl_graph_place() allocated. */
void sl_graph_unplace(struct sl_graph_builder *graph);

/* Copies the graph that was placed and checked, before any kernel has run; forgets the copy, and
 * what the host has allocated. */
SL_MUST_USE enum sl_status sl_graph_keep(struct sl_graph_builder *graph);
void sl_graph_forget(struct sl_graph_builder *graph);

/* A channel's counters as they are now, of a graph that is placed: numbers of any value. */
struct sl_audit_counters sl_graph_counters(const struct sl_graph_builder *graph, uint32_t channel);

#endif
