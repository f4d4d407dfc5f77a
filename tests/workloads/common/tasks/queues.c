/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Task queues of programs. */
#include "workloads/common/tasks/queues.h"

#include <stdio.h>

#include "sluice/program.h"

#define GROUPS_MAX 65536 /* more than any machine's contexts */

const struct sl_argument queues_rows[] = {
    {"version", 0, SL_CHOICE, 0, 0, SL_INTO(struct sl_tasks_options, version),
     "Scopes of the queues: direct, all device; or indirect, each its own (default)",
     "direct|indirect"},
    {"group-threshold", 0, SL_NUMBER, 1, SL_TASKS_CAPACITY / 2,
     SL_INTO(struct sl_tasks_options, group_threshold),
     "Fronts below which work-groups are given some (default 8)", "FRONTS"},
    {"device-threshold", 0, SL_NUMBER, 1, SL_TASKS_CAPACITY / 2,
     SL_INTO(struct sl_tasks_options, device_threshold),
     "Fronts below which the device is given some (default 64)", "FRONTS"},
    {"capacity", 0, SL_POWER_OF_TWO, 1, SL_TASKS_CAPACITY,
     SL_INTO(struct sl_tasks_options, capacity), "Capacity of each wavefront's queue (default 64)",
     "FRONTS"},
    {"group-capacity", 0, SL_POWER_OF_TWO, 1, SL_TASKS_CAPACITY,
     SL_INTO(struct sl_tasks_options, group_capacity),
     "Capacity of each work-group's queue (default: enough)", "FRONTS"},
    {"device-capacity", 0, SL_POWER_OF_TWO, 1, SL_TASKS_CAPACITY,
     SL_INTO(struct sl_tasks_options, device_capacity),
     "Capacity of the device's queue (default: enough)", "FRONTS"},
    {"groups", 0, SL_NUMBER, 1, GROUPS_MAX, SL_INTO(struct sl_tasks_options, groups),
     "Work-groups (default: as many as the machine holds at once)", "GROUPS"},
    {"group-wavefronts", 0, SL_NUMBER, 1, SL_TASKS_WAVEFRONTS,
     SL_INTO(struct sl_tasks_options, group_wavefronts),
     "Wavefronts of a work-group (default 8, or as many as fit)", "WAVEFRONTS"},
    {0},
};

enum sl_status queues_run(struct sl_soc *soc, struct sl_task_queues *tasks)
{
    const enum sl_status status = sl_tasks_execute(tasks);
    return status == SL_OK ? sl_app_wait(soc, NULL) : status;
}

struct queues_counts queues_count(const struct sl_task_queues *tasks)
{
    struct queues_counts counts = {
        .version = sl_tasks_shared(tasks)->version == SL_TASKS_DIRECT ? "direct" : "indirect",
        .wavefronts = sl_tasks_wavefronts(tasks),
    };
    for (int i = 0; i < SL_TASKS_COUNTS; i++) {
        counts.count[i] = sl_tasks_count(tasks, (enum sl_tasks_count)i);
    }
    return counts;
}

void queues_print(const struct queues_counts *counts)
{
    const uint64_t *const count = counts->count;

    printf("# version      %s, %" PRIu32 " wavefronts\n", counts->version, counts->wavefronts);
    printf("# fronts       %" PRIu64 " full, %" PRIu64 " partial, %" PRIu64 " tasks\n",
           count[SL_TASKS_FULL], count[SL_TASKS_PARTIAL], count[SL_TASKS_RUN]);
    printf("# donations    %" PRIu64 " to work-groups, %" PRIu64 " to the device, %" PRIu64
           " from work-groups to it, after %" PRIu64 " enqueues\n",
           count[SL_TASKS_TO_GROUP], count[SL_TASKS_TO_DEVICE], count[SL_TASKS_GROUP_DEVICE],
           count[SL_TASKS_ENQUEUES]);
    printf("# dequeues     %" PRIu64 " own, %" PRIu64 " of work-groups, %" PRIu64
           " of the device, %" PRIu64 " times nothing\n",
           count[SL_TASKS_FROM_OWN], count[SL_TASKS_FROM_GROUP], count[SL_TASKS_FROM_DEVICE],
           count[SL_TASKS_IDLE]);
    printf("# occupancies  at most %" PRIu64 " own, %" PRIu64 " of a work-group, %" PRIu64
           " of the device\n",
           count[SL_TASKS_MAX_OWN], count[SL_TASKS_MAX_GROUP], count[SL_TASKS_MAX_DEVICE]);
}
