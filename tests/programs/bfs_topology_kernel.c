/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of bfs_topology.c. */
#include "programs/common/search/topology_kernel.h"

SL_KERNEL void bfs_topology(struct graph_node *nodes, uint32_t *to, uint32_t *distance,
                            uint32_t *is_changed, uint32_t *is_other_changed)
{
    topology_visit((struct search){nodes, to, NULL, distance}, false, is_changed, is_other_changed);
}
