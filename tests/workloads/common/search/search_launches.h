/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What searches by launches have in common. */
#ifndef SLUICE_WORKLOADS_COMMON_SEARCH_SEARCH_LAUNCHES_H
#define SLUICE_WORKLOADS_COMMON_SEARCH_SEARCH_LAUNCHES_H

#include "workloads/common/launches.h"
#include "workloads/common/search/search_main.h"

/* --group, of a struct trees_options. */
extern const struct sl_argument search_launches_rows[];

/* Loads the program's kernel file. */
SL_MUST_USE enum sl_status search_launches_load(struct launches *launches,
                                                const struct search_run *run);

/* Notes a launch of the program's kernel over `items` work-items, in work-groups as the options
 * say. Its arguments are the search's and these. */
void search_launches_add(struct launches *launches, const struct search_run *run, uint32_t items,
                         const uint64_t *arguments, unsigned count);

#endif
