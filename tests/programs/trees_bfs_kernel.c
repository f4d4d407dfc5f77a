/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_bfs.c: a task for each node that has come nearer. What is the same for all of
 * them the first one leaves in a variable of the program. */
#include "programs/common/search/search_kernel.h"
#include "wave/trees.h"

SL_TASKS(trees_bfs, visit, start)

static struct search given;

SL_TASK(visit, uint32_t, visited)
{
    const struct search search = given;
    uint32_t distance;
    const uint64_t node = search_visit(&search, visited, &distance);

    for (uint32_t i = search_low(node); i < search_high(node); i++) {
        const uint64_t edge = search_edge(&search, false, i);
        const uint32_t next = search_low(edge);
        if (search_shortens(&search.distance[next], distance + search_high(edge))) {
            sl_fork_visit(next);
        }
    }
}

SL_TASK(start, const struct search *, search)
{
    given = *search;
    sl_fork_visit(0);
}
