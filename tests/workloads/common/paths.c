/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The algorithm of Floyd and Warshall: paths by way of node 0, then 1, and so on. */
#include "workloads/common/paths.h"

void paths_complete(uint32_t *distance, size_t nodes)
{
    for (size_t way = 0; way < nodes; way++) {
        for (size_t from = 0; from < nodes; from++) {
            uint32_t *const row = &distance[from * nodes];
            for (size_t to = 0; to < nodes; to++) {
                const uint32_t length = row[way] + distance[way * nodes + to];
                row[to] = length < row[to] ? length : row[to];
            }
        }
    }
}
