/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Search by two worklists: a launch for each, whose grid is as large as the list has become, for as
 * long as there is something in the first. */
#include "sluice/program.h"
#include "workloads/common/search/search_launches.h"
#include "workloads/common/search/worklist.h"

static const struct sl_argument table[] = {
    {"capacity", 0, SL_NUMBER, 1, SL_TREES_SLOTS, SL_INTO(struct trees_options, capacity),
     "Room in each list (default: enough)", "NODES"},
    {.rows = search_launches_rows},
    {0},
};

/* Without lengths a node is put into a list once. With them it is in one as often as it comes
 * nearer in a launch: in the graphs that are made here less often than it has edges. */
static uint32_t room(const struct search_run *run)
{
    return run->options.capacity > 0 ? run->options.capacity
           : run->has_lengths        ? run->n + run->edges
                                     : run->n;
}

static enum sl_status search(const struct search_run *run)
{
    const uint32_t capacity = room(run);
    struct launches launches;
    struct worklist *list[2];

    const enum sl_status status = search_launches_load(&launches, run);
    if (status != SL_OK) {
        return status;
    }
    for (int i = 0; i < 2; i++) {
        list[i] = sl_app_alloc(run->soc,
                               sizeof *list[i] + (size_t)capacity * sizeof list[i]->node[0], 64);
    }
    list[0]->count = 1; /* node 0 */
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t arguments[] = {(uintptr_t)list[i], (uintptr_t)list[1 - i], capacity};
        search_launches_add(&launches, run, capacity, arguments, 3);
        launches.steps[i].grid_word = &list[i]->count;
    }
    launches.first = 0;
    launches.last = 1;
    launches.word = &list[0]->count;
    return launches_run(&launches);
}

const struct search_way search_by_worklists = {"two worklists", table, search};
