/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Search by looking at all nodes, in two launches that repeat until the second finds nothing. */
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/search/search_launches.h"

/* Of a word that launches write. */
#define LINE_BYTES 64

static enum sl_status search(const struct search_run *run)
{
    struct launches launches;
    uint32_t *is_changed[2];
    uint32_t *const followed = sl_app_alloc(run->soc, run->n * sizeof *followed, 0);

    const enum sl_status status = search_launches_load(&launches, run);
    if (status != SL_OK) {
        return status;
    }
    memset(followed, 0xff, run->n * sizeof *followed); /* NOT_REACHED */
    for (unsigned i = 0; i < 2; i++) {
        is_changed[i] = sl_app_alloc(run->soc, LINE_BYTES, LINE_BYTES);
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

const struct search_way search_by_topology = {"looking at all nodes in turn", search_launches_rows,
                                              search};
