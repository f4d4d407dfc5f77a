/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tasks of a search (docs/know/trees.md): one for each node that has come nearer. It is included
 * behind SL_TASKS(kernel, visit, start) and a constant HAS_LENGTHS. What is the same for all tasks
 * the first one leaves in a variable of the program. */
#ifndef SLUICE_WORKLOADS_COMMON_SEARCH_TASKS_KERNEL_H
#define SLUICE_WORKLOADS_COMMON_SEARCH_TASKS_KERNEL_H

#include "sluice/wave/trees.h"
#include "workloads/common/search/search_kernel.h"

static struct search given;

SL_TASK(visit, uint32_t, visited)
{
    const struct search search = given;
    uint32_t distance;
    const uint64_t node = search_visit(&search, visited, &distance);

    for (uint32_t i = search_low(node); i < search_high(node); i++) {
        const uint64_t edge = search_edge(&search, HAS_LENGTHS, i);
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

#endif
