/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shortest paths between all pairs of nodes, in plain C. */
#ifndef SLUICE_WORKLOADS_COMMON_PATHS_H
#define SLUICE_WORKLOADS_COMMON_PATHS_H

#include <stddef.h>
#include <stdint.h>

#define PATHS_NONE (UINT32_MAX / 2) /* no path; and another one's length more is no overflow */

/* Makes of the lengths of edges, from each node to each, the lengths of the shortest paths. */
void paths_complete(uint32_t *distance, size_t nodes);

#endif
