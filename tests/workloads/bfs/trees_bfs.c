/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search on a task vector (docs/know/trees-programs.md; papers/000 section 5.6.4).
 * Its kernel is trees_bfs_kernel.c. */
#include "workloads/common/search/search_main.h"

int main(int argc, char **argv)
{
    return search_main("trees_bfs", &search_by_tasks, false, argc, argv);
}
