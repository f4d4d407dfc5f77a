/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search by two worklists (docs/know/trees-programs.md; papers/000 section 5.6.4).
 * Its kernel is bfs_worklist_kernel.c. */
#include "workloads/common/search/search_main.h"

int main(int argc, char **argv)
{
    return search_main("bfs_worklist", &search_by_worklists, false, argc, argv);
}
