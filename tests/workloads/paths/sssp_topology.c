/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shortest paths driven by topology (docs/know/trees-programs.md; papers/000 section 5.6.4). Its
 * kernel is sssp_topology_kernel.c. */
#include "workloads/common/search/search_main.h"

int main(int argc, char **argv)
{
    const struct search_program program = {
        .name = "sssp_topology",
        .doc = SEARCH_DOC("Find the shortest paths from node 0 to all others",
                          "by looking at all nodes in turn"),
        .options = search_by_topology_options,
        .has_lengths = true,
        .run = search_by_topology,
    };

    return search_main(&program, argc, argv);
}
