/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The graph builder as the files that build, place and fill graphs see it. */
#ifndef SLUICE_HOST_GRAPH_H
#define SLUICE_HOST_GRAPH_H

#include <stdbool.h>

#include "host/footprint.h"
#include "host/sluice.h"

#define SL_GRAPH_NAME_BYTES 64

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
    uint64_t pending; /* elements that the host allocated and has not enqueued */
};

struct sl_graph_kernel_node {
    char name[SL_GRAPH_NAME_BYTES];
    uint64_t entry;
    uint64_t register_mask;
    bool yields;
    uint32_t argument_count;
    uint64_t argument[SL_KERNEL_ARGUMENTS];
};

struct sl_graph_builder {
    struct sl_graph_builder *next; /* of the machine's graphs */
    struct sl_soc *soc;
    struct sl_module *module;

    struct sl_graph_channel_node *channels;
    uint32_t channel_count;
    struct sl_graph_kernel_node *kernels;
    uint32_t kernel_count;
    struct sl_edge *edges;
    uint32_t edge_count;
    bool has_policy; /* that the program chose: */
    enum sl_scheduler policy;
    char error[512]; /* of the first call that was wrong, or "" */

    struct sl_graph *shared; /* NULL until it is prepared */
    struct sl_kernel *shared_kernels;
    void **blocks; /* its memory in the shared heap */
    size_t block_count;
    uint64_t *dispatched; /* by channel: elements dispatched before the last run */
    bool is_broken;       /* ended other than by completion: its channels hold what was left */
};

/* Places a graph whose nodes are known in shared memory and fills it in. On failure everything is
 * freed again, and the machine object has the message. */
enum sl_status sl_graph_place(struct sl_graph_builder *graph);

/* Frees what sl_graph_place() allocated. */
void sl_graph_unplace(struct sl_graph_builder *graph);

/* Notes where the channels stand in front of a run; what they take, and would take without yield,
 * for the elements of the run since then, once it is complete. All zero when out of memory. The
 * graph must be placed. */
void sl_graph_mark(struct sl_graph_builder *graph);
struct sl_footprint sl_graph_footprint(const struct sl_graph_builder *graph);

/* Starts the counters of a channel at `first`, as if so many elements had come and gone before. */
void sl_channel_start(struct sl_channel *channel, uint64_t first);

/* "channel 0 'fib'", "kernel 0 'fib_kernel'". The graph may be NULL. */
void sl_graph_channel_text(const struct sl_graph_builder *graph, uint64_t channel, char *out,
                           size_t bytes);
void sl_graph_kernel_text(const struct sl_graph_builder *graph, uint64_t kernel, char *out,
                          size_t bytes);

/* The machine's graph at a shared address, or NULL. */
struct sl_graph_builder *sl_graph_at(struct sl_soc *soc, uint64_t address);

#endif
