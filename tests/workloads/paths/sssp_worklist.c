/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shortest paths by two worklists (docs/know/trees-programs.md; papers/000 section 5.6.4). Its
 * kernel is sssp_worklist_kernel.c. */
#include "workloads/common/search/search_main.h"

int main(int argc, char **argv)
{
    return search_main("sssp_worklist", &search_by_worklists, true, argc, argv);
}
