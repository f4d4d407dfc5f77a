/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host programs on the work-sharing task runtime (docs/know/tasks.md) have in common: options,
 * and queues from their making to what was counted. */
#ifndef SLUICE_WORKLOADS_COMMON_TASKS_QUEUES_H
#define SLUICE_WORKLOADS_COMMON_TASKS_QUEUES_H

#include <stdint.h>

#include "sluice/argument.h"
#include "sluice/sluice.h"

/* Rows of a program's table, whose struct of arguments is a struct sl_tasks_options with
 * SL_TASKS_INDIRECT as its version: SL_ROWS(). */
extern const struct sl_argument queues_rows[];

/* Runs all, and waits for the end. */
SL_MUST_USE enum sl_status queues_run(struct sl_soc *soc, struct sl_task_queues *tasks);

/* What was counted, as lines with "# " in front. */
struct queues_counts {
    const char *version;
    uint32_t wavefronts;
    uint64_t count[SL_TASKS_COUNTS];
};
struct queues_counts queues_count(const struct sl_task_queues *tasks);
void queues_print(const struct queues_counts *counts);

#endif
