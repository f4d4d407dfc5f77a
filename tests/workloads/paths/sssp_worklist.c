/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shortest paths by two worklists (docs/know/trees-programs.md; papers/000 section 5.6.4). Its
 * kernel is sssp_worklist_kernel.c. */
#include "workloads/common/search/search_main.h"

int main(int argc, char **argv)
{
    const struct search_program program = {
        .name = "sssp_worklist",
        .doc = SEARCH_DOC("Find the shortest paths from node 0 to all others", "by two worklists"),
        .options = search_by_worklists_options,
        .has_lengths = true,
        .run = search_by_worklists,
    };

    return search_main(&program, argc, argv);
}
