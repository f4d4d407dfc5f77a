/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Task queues (docs/know/tasks.md) inside the library: their options, and how they lie in shared
 * memory.
 */
#ifndef SLUICE_HOST_RUNTIME_RUN_TASKS_H
#define SLUICE_HOST_RUNTIME_RUN_TASKS_H

#include "host/driver/code/module.h"
#include "host/runtime/run/run.h"

#define SL_TASKS_WHAT "task queues" /* begins messages */

/* Tasks that an execution begins with, of one function. */
struct first_tasks {
    char *tasks;
    uint32_t count;
};

struct sl_task_queues {
    struct sl_soc *soc;
    struct sl_module *module;
    const char *kernel;
    const void *program;
    struct sl_tasks *shared; /* kernels may write there: */
    struct sl_tasks kept;    /* sizes and addresses as they were laid out */
    uint32_t task_bytes;
    uint32_t groups;
    uint32_t block_bytes; /* of a front */
    struct first_tasks first[SL_TASKS_FUNCTIONS];
    struct sl_task_queues *next;
};

/* Sets what options choose, or leave to their defaults. SL_ERROR_USAGE with a reason where they are
 * not possible, or not what the kernel has. */
enum sl_status sl_tasks_choose(struct sl_task_queues *tasks, struct sl_tasks_kernel work,
                               const struct sl_tasks_options *options);

/* Allocates everything, which sl_tasks_destroy() frees, with whatever was allocated. */
enum sl_status sl_tasks_lay_out(struct sl_task_queues *tasks);

/* Queues without fronts; then the tasks to begin with: full fronts in the device's queue, what is
 * left with the first wavefront, to collect on. */
enum sl_status sl_tasks_fill(const struct sl_task_queues *tasks);

static inline struct sl_tasks_wavefront *sl_tasks_wavefront_of(const struct sl_tasks *shared,
                                                               uint32_t number)
{
    return (struct sl_tasks_wavefront *)(uintptr_t)shared->wavefronts + number;
}

#endif
