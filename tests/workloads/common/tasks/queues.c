/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Task queues of programs. */
#include "workloads/common/tasks/queues.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "sluice/program.h"

#define GROUPS_MAX 65536 /* more than any machine's contexts */

/* Options that are a number, and where it goes. */
static const struct number_option {
    int key;
    const char *name;
    uint32_t most;
    bool is_power;
    size_t offset;
} numbers[] = {
    {QUEUES_KEY_GROUP_THRESHOLD, "--group-threshold", SL_TASKS_CAPACITY / 2, false,
     offsetof(struct sl_tasks_options, group_threshold)},
    {QUEUES_KEY_DEVICE_THRESHOLD, "--device-threshold", SL_TASKS_CAPACITY / 2, false,
     offsetof(struct sl_tasks_options, device_threshold)},
    {QUEUES_KEY_CAPACITY, "--capacity", SL_TASKS_CAPACITY, true,
     offsetof(struct sl_tasks_options, capacity)},
    {QUEUES_KEY_GROUP_CAPACITY, "--group-capacity", SL_TASKS_CAPACITY, true,
     offsetof(struct sl_tasks_options, group_capacity)},
    {QUEUES_KEY_DEVICE_CAPACITY, "--device-capacity", SL_TASKS_CAPACITY, true,
     offsetof(struct sl_tasks_options, device_capacity)},
    {QUEUES_KEY_GROUPS, "--groups", GROUPS_MAX, false, offsetof(struct sl_tasks_options, groups)},
    {QUEUES_KEY_GROUP_WAVEFRONTS, "--group-wavefronts", SL_TASKS_WAVEFRONTS, false,
     offsetof(struct sl_tasks_options, group_wavefronts)},
};

error_t queues_parse(int key, char *argument, const struct argp_state *state,
                     struct sl_tasks_options *options)
{
    if (key == ARGP_KEY_INIT) {
        options->version = SL_TASKS_INDIRECT;
        return ARGP_ERR_UNKNOWN; /* the program may have to do with it, too */
    }
    if (key == QUEUES_KEY_VERSION) {
        options->version = sl_app_choice(state, "--version", argument, "direct", "indirect")
                               ? SL_TASKS_INDIRECT
                               : SL_TASKS_DIRECT;
        return 0;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const struct number_option *const number = &numbers[i];
        uint32_t *const value = (uint32_t *)((char *)options + number->offset);
        if (key == number->key) {
            *value = number->is_power
                         ? sl_app_power_of_two(state, number->name, argument, 1, number->most)
                         : (uint32_t)sl_app_number(state, number->name, argument, 1, number->most);
            return 0;
        }
    }
    return ARGP_ERR_UNKNOWN;
}

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
