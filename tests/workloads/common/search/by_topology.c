/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Search by looking at all nodes, in two launches that repeat until the second finds nothing. */
#include <string.h>

#include "workloads/common/search/search_launches.h"

const struct argp_option search_by_topology_options[] = {
    SEARCH_OPTIONS,
    {"group", 'g', "ITEMS", 0, "Work-items of a work-group, 1 to 1024 (default 256)", 0},
    {0},
};

/* Of a word that launches write. */
#define LINE_BYTES 64

enum sl_status search_by_topology(const struct search_run *run)
{
    struct launches launches;
    uint32_t *is_changed[2];
    uint32_t *const followed = sl_alloc(run->soc, run->n * sizeof *followed, 0);

    if (followed == NULL) {
        return SL_ERROR_USAGE;
    }
    const enum sl_status status = search_launches_load(&launches, run);
    if (status != SL_OK) {
        return status;
    }
    memset(followed, 0xff, run->n * sizeof *followed); /* NOT_REACHED */
    for (unsigned i = 0; i < 2; i++) {
        is_changed[i] = sl_alloc(run->soc, LINE_BYTES, LINE_BYTES);
        if (is_changed[i] == NULL) {
            return SL_ERROR_USAGE;
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t arguments[] = {(uintptr_t)followed, (uintptr_t)is_changed[i],
                                      (uintptr_t)is_changed[1 - i]};
        search_launches_add(&launches, run, run->n, arguments, 3);
    }
    launches.first = 0;
    launches.last = 1;
    launches.word = is_changed[1];
    return launches_run(&launches);
}
