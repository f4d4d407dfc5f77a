/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search driven by topology (docs/know/trees-programs.md; papers/000 section 5.6.4).
 * Its kernel is bfs_topology_kernel.c. */
#include "workloads/common/search/search_main.h"

int main(int argc, char **argv)
{
    return search_main("bfs_topology", &search_by_topology, false, argc, argv);
}
