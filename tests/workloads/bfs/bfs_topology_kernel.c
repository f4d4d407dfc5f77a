/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of bfs_topology.c. */
#include "workloads/common/search/topology_kernel.h"

SL_KERNEL void bfs_topology(uint64_t *nodes, void *edges, uint32_t *distance, uint32_t *followed,
                            uint32_t *is_changed, uint32_t *is_other_changed)
{
    topology_visit((struct search){nodes, edges, distance}, false, followed, is_changed,
                   is_other_changed);
}
