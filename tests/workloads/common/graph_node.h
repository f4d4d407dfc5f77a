/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A graph as lists of edges, for host programs and kernels. */
#ifndef SLUICE_WORKLOADS_COMMON_GRAPH_NODE_H
#define SLUICE_WORKLOADS_COMMON_GRAPH_NODE_H

#include <stdint.h>

#define NOT_REACHED UINT32_MAX

/* A node's edges: those from `first` on. */
struct graph_node {
    uint32_t first;
    uint32_t count;
};

#endif
