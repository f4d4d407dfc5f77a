/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Search by two worklists: a launch for each, whose grid is as large as the list has become, for as
 * long as there is something in the first. */
#include "workloads/common/search/search_launches.h"
#include "workloads/common/search/worklist.h"

const struct argp_option search_by_worklists_options[] = {
    SEARCH_OPTIONS,
    {"capacity", TREES_KEY_CAPACITY, "NODES", 0, "Room in each list (default: enough)", 0},
    {"group", 'g', "ITEMS", 0, "Work-items of a work-group, 1 to 1024 (default 256)", 0},
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

/* Node 0 is in the first. */
static bool make(struct sl_soc *soc, uint32_t capacity, struct worklist *list[2])
{
    for (int i = 0; i < 2; i++) {
        list[i] = sl_alloc(soc, sizeof *list[i] + (size_t)capacity * sizeof list[i]->node[0], 64);
        if (list[i] == NULL) {
            return false;
        }
    }
    list[0]->count = 1;
    return true;
}

enum sl_status search_by_worklists(const struct search_run *run)
{
    const uint32_t capacity = room(run);
    struct launches launches;
    struct worklist *list[2];

    const enum sl_status status = search_launches_load(&launches, run);
    if (status != SL_OK) {
        return status;
    }
    if (!make(run->soc, capacity, list)) {
        return SL_ERROR_USAGE;
    }
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
