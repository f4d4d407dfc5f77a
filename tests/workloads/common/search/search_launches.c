/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Launches of a program's kernel. */
#include "workloads/common/search/search_launches.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"

#define GROUP_DEFAULT 256

const struct sl_argument search_launches_rows[] = {
    {"group", 'g', SL_NUMBER, 1, SL_GROUP_ITEMS, SL_INTO(struct trees_options, group),
     "Work-items of a work-group (default 256)", "ITEMS"},
    {0},
};

enum sl_status search_launches_load(struct launches *launches, const struct search_run *run)
{
    char file[NAME_MAX];

    *launches = (struct launches){.soc = run->soc};
    (void)snprintf(file, sizeof file, "%s.elf", run->name);
    return sl_app_load(run->soc, file, &launches->module);
}

void search_launches_add(struct launches *launches, const struct search_run *run, uint32_t items,
                         const uint64_t *arguments, unsigned count)
{
    const struct search *const search = run->search;
    const uint32_t group = run->options.group > 0 ? run->options.group : GROUP_DEFAULT;
    uint64_t all[SL_LAUNCH_ARGUMENTS] = {(uintptr_t)search->nodes, (uintptr_t)search->edges,
                                         (uintptr_t)search->distance};

    memcpy(&all[3], arguments, count * sizeof *arguments);
    launches_add(launches, run->name, items, group, 0, all, 3 + count);
}
