/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host programs on the work-sharing task runtime (docs/know/tasks.md) have in common: options,
 * and queues from their making to what was counted. */
#ifndef SLUICE_WORKLOADS_COMMON_TASKS_QUEUES_H
#define SLUICE_WORKLOADS_COMMON_TASKS_QUEUES_H

#include <argp.h>
#include <stdint.h>

#include "sluice/sluice.h"

/* Options without a letter; those of programs begin at 256. */
enum {
    QUEUES_KEY_VERSION = 640,
    QUEUES_KEY_GROUP_THRESHOLD,
    QUEUES_KEY_DEVICE_THRESHOLD,
    QUEUES_KEY_CAPACITY,
    QUEUES_KEY_GROUP_CAPACITY,
    QUEUES_KEY_DEVICE_CAPACITY,
    QUEUES_KEY_GROUPS,
    QUEUES_KEY_GROUP_WAVEFRONTS,
};

/* Lines of an argp option table. */
#define QUEUES_OPTIONS                                                                             \
    {"version",                                                                                    \
     QUEUES_KEY_VERSION,                                                                           \
     "NAME",                                                                                       \
     0,                                                                                            \
     "Scopes of the queues: direct, all device; or indirect, each its own (default)",              \
     0},                                                                                           \
        {"group-threshold",                                                                        \
         QUEUES_KEY_GROUP_THRESHOLD,                                                               \
         "FRONTS",                                                                                 \
         0,                                                                                        \
         "Fronts below which work-groups are given some (default 8)",                              \
         0},                                                                                       \
        {"device-threshold",                                                                       \
         QUEUES_KEY_DEVICE_THRESHOLD,                                                              \
         "FRONTS",                                                                                 \
         0,                                                                                        \
         "Fronts below which the device is given some (default 64)",                               \
         0},                                                                                       \
        {"capacity",                                                                               \
         QUEUES_KEY_CAPACITY,                                                                      \
         "FRONTS",                                                                                 \
         0,                                                                                        \
         "Capacity of each wavefront's queue (default 64)",                                        \
         0},                                                                                       \
        {"group-capacity",                                                                         \
         QUEUES_KEY_GROUP_CAPACITY,                                                                \
         "FRONTS",                                                                                 \
         0,                                                                                        \
         "Capacity of each work-group's queue (default: enough)",                                  \
         0},                                                                                       \
        {"device-capacity",                                                                        \
         QUEUES_KEY_DEVICE_CAPACITY,                                                               \
         "FRONTS",                                                                                 \
         0,                                                                                        \
         "Capacity of the device's queue (default: enough)",                                       \
         0},                                                                                       \
        {"groups",                                                                                 \
         QUEUES_KEY_GROUPS,                                                                        \
         "GROUPS",                                                                                 \
         0,                                                                                        \
         "Work-groups (default: as many as the machine holds at once)",                            \
         0},                                                                                       \
    {                                                                                              \
        "group-wavefronts", QUEUES_KEY_GROUP_WAVEFRONTS, "WAVEFRONTS", 0,                          \
            "Wavefronts of a work-group, 1 to 8 (default 8, or as many as fit)", 0                 \
    }

/* A parser's part for these: returns ARGP_ERR_UNKNOWN for other keys. What is bad ends the program
 * with a message. */
error_t queues_parse(int key, char *argument, const struct argp_state *state,
                     struct sl_tasks_options *options);

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
