/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The graph builder: what a host program has said of a graph, and where the graph is in shared
 * memory. Private to this folder. */
#ifndef SLUICE_HOST_NODES_H
#define SLUICE_HOST_NODES_H

#include <stdbool.h>

#include "host/graph/graph.h"

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

#endif
