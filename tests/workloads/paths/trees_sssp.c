/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shortest paths on a task vector (docs/know/trees-programs.md; papers/000 section 5.6.4). Its
 * kernel is trees_sssp_kernel.c. */
#include "workloads/common/search/search_main.h"

int main(int argc, char **argv)
{
    const struct search_program program = {
        .name = "trees_sssp",
        .doc =
            SEARCH_DOC("Find the shortest paths from node 0 to all others", "by tasks in epochs"),
        .options = search_by_tasks_options,
        .has_lengths = true,
        .run = search_by_tasks,
    };

    return search_main(&program, argc, argv);
}
