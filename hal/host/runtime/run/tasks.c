/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Task queues (docs/know/tasks.md): made, with tasks to begin with; launches the wavefronts that
 * work on them, and adds up what these have counted. */
#include "host/runtime/run/tasks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum sl_status create(struct sl_task_queues *tasks, const struct sl_tasks_options *options)
{
    struct sl_soc *const soc = tasks->soc;
    const int handle = sl_module_kernel(tasks->module, tasks->kernel);

    tasks->shared = sl_alloc(soc, sizeof *tasks->shared, _Alignof(struct sl_tasks));
    if (handle < 0 || tasks->shared == NULL) {
        return soc->failure;
    }
    tasks->kernel = sl_module_kernel_name(tasks->module, handle); /* lives as long as the module */
    tasks->kept.lanes = (uint32_t)soc->config.number[SL_CFG_GPU_LANES];
    const enum sl_status status =
        sl_tasks_choose(tasks, sl_module_work(tasks->module, handle), options);
    return status == SL_OK ? sl_tasks_lay_out(tasks) : status;
}

enum sl_status sl_tasks_create(struct sl_module *module, const char *kernel,
                               const struct sl_tasks_options *options, const void *program,
                               struct sl_task_queues **out)
{
    SL_HOLD(sl_module_soc(module));
    struct sl_soc *const soc = sl_module_soc(module);
    struct sl_task_queues *const tasks = calloc(1, sizeof *tasks);
    *out = NULL;
    if (tasks == NULL) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    tasks->soc = soc;
    tasks->module = module;
    tasks->kernel = kernel;
    tasks->program = program;
    tasks->next = soc->run->queues;
    soc->run->queues = tasks;
    const enum sl_status status = create(tasks, options);
    if (status != SL_OK) {
        sl_tasks_destroy(tasks);
        return status;
    }
    *out = tasks;
    return SL_OK;
}

static void free_host_side(struct sl_task_queues *tasks)
{
    for (int i = 0; i < SL_TASKS_FUNCTIONS; i++) {
        free(tasks->first[i].tasks);
    }
    free(tasks);
}

void sl_tasks_destroy(struct sl_task_queues *tasks)
{
    if (tasks == NULL) {
        return;
    }
    SL_HOLD(tasks->soc);
    struct sl_task_queues **link = &tasks->soc->run->queues;
    while (*link != tasks) {
        link = &(*link)->next;
    }
    *link = tasks->next;
    if (tasks->soc->run->shared_work == tasks) {
        tasks->soc->run->shared_work = NULL;
    }
    if (tasks->shared != NULL) {
        sl_free(tasks->soc, (void *)(uintptr_t)tasks->kept.pool);
        sl_free(tasks->soc, (void *)(uintptr_t)tasks->kept.device.places);
        sl_free(tasks->soc, (void *)(uintptr_t)tasks->kept.groups);
        sl_free(tasks->soc, (void *)(uintptr_t)tasks->kept.wavefronts);
        sl_free(tasks->soc, tasks->shared);
    }
    free_host_side(tasks);
}

void sl_tasks_destroy_all(struct sl_run *run)
{
    while (run->queues != NULL) {
        struct sl_task_queues *const tasks = run->queues;
        run->queues = tasks->next;
        free_host_side(tasks); /* the heap goes with the machine */
    }
}

/* ---- execution ---- */

enum sl_status sl_tasks_add(struct sl_task_queues *tasks, uint32_t function, const void *first,
                            uint32_t count)
{
    if (function >= tasks->kept.functions) {
        return sl_soc_fail(tasks->soc, SL_ERROR_USAGE,
                           "%s: no function %" PRIu32 "; there are %" PRIu32 ", numbered from 0",
                           SL_TASKS_WHAT, function, tasks->kept.functions);
    }
    struct first_tasks *const of = &tasks->first[function];
    const size_t before = (size_t)of->count * tasks->task_bytes;
    const size_t more = (size_t)count * tasks->task_bytes;
    char *const grown = count > 0 ? realloc(of->tasks, before + more) : of->tasks;
    if (count == 0) {
        return SL_OK;
    }
    if (grown == NULL) {
        return sl_soc_fail(tasks->soc, SL_ERROR_MACHINE, "out of memory");
    }
    memcpy(grown + before, first, more);
    of->tasks = grown;
    of->count += count;
    return SL_OK;
}

enum sl_status sl_tasks_execute(struct sl_task_queues *tasks)
{
    SL_HOLD(tasks->soc);
    const struct sl_tasks *const kept = &tasks->kept;
    const uint32_t group[3] = {kept->group_wavefronts * kept->lanes, 1, 1};
    const uint32_t grid[3] = {tasks->groups * group[0], 1, 1};
    const uint64_t arguments[] = {(uintptr_t)tasks->shared, (uintptr_t)tasks->program};

    if (sl_run_check_idle(tasks->soc, SL_TASKS_WHAT) != SL_OK) {
        return SL_ERROR_USAGE;
    }
    enum sl_status status = sl_tasks_fill(tasks);
    if (status == SL_OK) {
        status = sl_launch_resident(tasks->module, tasks->kernel, grid, group, 0, arguments, 2);
    }
    if (status == SL_OK) {
        tasks->soc->run->kind = &sl_kind_tasks;
        tasks->soc->run->shared_work = tasks;
    }
    return status;
}

/* ---- results ---- */

uint64_t sl_tasks_count(const struct sl_task_queues *tasks, enum sl_tasks_count count)
{
    uint64_t result = 0;

    for (uint32_t i = 0; i < sl_tasks_wavefronts(tasks); i++) {
        const uint64_t one = sl_tasks_wavefront_of(&tasks->kept, i)->counts[count];
        if (count < SL_TASKS_MAX_OWN) {
            result += one;
        } else {
            result = one > result ? one : result;
        }
    }
    return result;
}

static void add_statistics(struct sl_soc *soc, uint64_t *statistics)
{
    static const uint32_t ids[SL_TASKS_COUNTS] = {
        [SL_TASKS_FULL] = SL_STAT_TASKS_FULL_FRONTS,
        [SL_TASKS_PARTIAL] = SL_STAT_TASKS_PARTIAL_FRONTS,
        [SL_TASKS_RUN] = SL_STAT_TASKS_RUN,
        [SL_TASKS_ENQUEUES] = SL_STAT_TASKS_ENQUEUES,
        [SL_TASKS_TO_GROUP] = SL_STAT_TASKS_DONATIONS_TO_GROUP,
        [SL_TASKS_TO_DEVICE] = SL_STAT_TASKS_DONATIONS_TO_DEVICE,
        [SL_TASKS_GROUP_DEVICE] = SL_STAT_TASKS_DONATIONS_GROUP_TO_DEVICE,
        [SL_TASKS_FROM_OWN] = SL_STAT_TASKS_FROM_OWN,
        [SL_TASKS_FROM_GROUP] = SL_STAT_TASKS_FROM_GROUP,
        [SL_TASKS_FROM_DEVICE] = SL_STAT_TASKS_FROM_DEVICE,
        [SL_TASKS_IDLE] = SL_STAT_TASKS_IDLE_LOOKS,
        [SL_TASKS_MAX_OWN] = SL_STAT_TASKS_OWN_MAX,
        [SL_TASKS_MAX_GROUP] = SL_STAT_TASKS_GROUP_MAX,
        [SL_TASKS_MAX_DEVICE] = SL_STAT_TASKS_DEVICE_MAX,
    };

    const struct sl_task_queues *const tasks = soc->run->shared_work;
    for (int i = 0; tasks != NULL && i < SL_TASKS_COUNTS; i++) {
        statistics[ids[i]] = sl_tasks_count(tasks, (enum sl_tasks_count)i);
    }
}

const struct sl_run_kind sl_kind_tasks = {
    .type = SL_HOST_LAUNCH,
    .name = "launch",
    .add_statistics = add_statistics,
};

const struct sl_tasks *sl_tasks_shared(const struct sl_task_queues *tasks)
{
    return tasks->shared;
}
