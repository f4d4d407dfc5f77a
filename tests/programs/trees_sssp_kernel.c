/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_sssp.c: a task for each node that has come nearer. What is the same for all
 * of them the first one leaves in a variable of the program. */
#include "programs/common/search/search_kernel.h"
#include "wave/trees.h"

SL_TASKS(trees_sssp, visit, start)

static struct search given;

SL_TASK(visit, uint32_t, visited)
{
    const struct search search = given;
    const struct graph_node node = search.nodes[visited];
    const uint32_t distance = search.distance[visited];

    for (uint32_t i = node.first; i < node.first + node.count; i++) {
        const uint32_t next = search.to[i];
        if (search_shortens(&search.distance[next], search_length(&search, true, i, distance))) {
            sl_fork_visit(next);
        }
    }
}

SL_TASK(start, const struct search *, search)
{
    given = *search;
    sl_fork_visit(0);
}
