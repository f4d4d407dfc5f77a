/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shortest paths driven by topology (docs/know/trees-programs.md; papers/000 section 5.6.4). Its
 * kernel is sssp_topology_kernel.c. */
#include "workloads/common/search/search_main.h"

int main(int argc, char **argv)
{
    return search_main("sssp_topology", &search_by_topology, true, argc, argv);
}
