/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Options of task queues (docs/know/tasks.md): their defaults, on a machine and for a kernel, and
 * what is not possible. */
#include "host/runtime/run/tasks.h"

#include <inttypes.h>

#define OWN_CAPACITY     64
#define GROUP_THRESHOLD  8
#define DEVICE_THRESHOLD 64
#define GROUPS_MAX       65536 /* more than any machine's contexts */

static uint32_t power_of_two(uint32_t least)
{
    uint32_t power = 1;
    while (power < least) {
        power *= 2;
    }
    return power;
}

static enum sl_status check_range(struct sl_soc *soc, const char *name, uint32_t value,
                                  uint32_t least, uint32_t most)
{
    return value >= least && value <= most
               ? SL_OK
               : sl_soc_fail(soc, SL_ERROR_USAGE,
                             "%s: %s is %" PRIu32 "; from %" PRIu32 " to %" PRIu32 " is possible",
                             SL_TASKS_WHAT, name, value, least, most);
}

static enum sl_status check_capacity(struct sl_soc *soc, const char *name, uint32_t value)
{
    const enum sl_status status = check_range(soc, name, value, 1, SL_TASKS_CAPACITY);
    return status == SL_OK && (value & (value - 1)) != 0
               ? sl_soc_fail(soc, SL_ERROR_USAGE, "%s: %s is %" PRIu32 ", which is no power of two",
                             SL_TASKS_WHAT, name, value)
               : status;
}

static uint32_t or_default(uint32_t value, uint32_t otherwise)
{
    return value != 0 ? value : otherwise;
}

/* What the kernel has (hal/include/sluice/wave/tasks.h) is not the host's to choose: other numbers
 * of functions or bytes would have it write over what is not its own. */
static enum sl_status check_kernel(const struct sl_task_queues *tasks, struct sl_tasks_kernel work,
                                   const struct sl_tasks_options *options)
{
    if (work.functions == 0) {
        return sl_soc_fail(tasks->soc, SL_ERROR_USAGE,
                           "%s: kernel '%s' is none of SL_WORK() (sluice/wave/tasks.h)",
                           SL_TASKS_WHAT, tasks->kernel);
    }
    if (options->functions != work.functions) {
        return sl_soc_fail(tasks->soc, SL_ERROR_USAGE,
                           "%s: kernel '%s' has %" PRIu32 " functions, and not %" PRIu32,
                           SL_TASKS_WHAT, tasks->kernel, work.functions, options->functions);
    }
    if (options->task_bytes != work.task_bytes) {
        return sl_soc_fail(tasks->soc, SL_ERROR_USAGE,
                           "%s: kernel '%s' has tasks of %" PRIu32 " bytes, and not %" PRIu32,
                           SL_TASKS_WHAT, tasks->kernel, work.task_bytes, options->task_bytes);
    }
    if ((unsigned)options->version >= SL_TASKS_VERSIONS) {
        return sl_soc_fail(tasks->soc, SL_ERROR_USAGE, "%s: there is no version %u", SL_TASKS_WHAT,
                           (unsigned)options->version);
    }
    return SL_OK;
}

/* As many as fit; where a compute unit cannot hold eight of the kernel's wavefronts, work-groups
 * are smaller. */
static enum sl_status choose_groups(struct sl_task_queues *tasks,
                                    const struct sl_tasks_options *options)
{
    struct sl_tasks *const kept = &tasks->kept;
    uint32_t room = 0;

    kept->group_wavefronts = or_default(options->group_wavefronts, SL_TASKS_WAVEFRONTS);
    enum sl_status status = check_range(tasks->soc, "the wavefronts of a work-group",
                                        kept->group_wavefronts, 1, SL_TASKS_WAVEFRONTS);
    if (status != SL_OK) {
        return status;
    }
    for (;;) {
        const uint32_t group[3] = {kept->group_wavefronts * kept->lanes, 1, 1};
        room = sl_resident_groups(tasks->module, tasks->kernel, group, 0);
        if (room > 0 || options->group_wavefronts != 0 || kept->group_wavefronts == 1) {
            break;
        }
        kept->group_wavefronts /= 2;
    }
    /* What does not fit is for sl_launch_resident() to say. */
    tasks->groups = or_default(options->groups, room > 0 ? room : 1);
    return check_range(tasks->soc, "the number of work-groups", tasks->groups, 1, GROUPS_MAX);
}

static enum sl_status choose_thresholds(struct sl_task_queues *tasks,
                                        const struct sl_tasks_options *options)
{
    uint32_t *const threshold = tasks->kept.threshold;

    threshold[SL_TASKS_GROUP] = or_default(options->group_threshold, GROUP_THRESHOLD);
    threshold[SL_TASKS_DEVICE] = or_default(options->device_threshold, DEVICE_THRESHOLD);
    const enum sl_status status = check_range(tasks->soc, "the work-groups' threshold",
                                              threshold[SL_TASKS_GROUP], 1, SL_TASKS_CAPACITY / 2);
    return status == SL_OK ? check_range(tasks->soc, "the device's threshold",
                                         threshold[SL_TASKS_DEVICE], 1, SL_TASKS_CAPACITY / 2)
                           : status;
}

uint32_t sl_tasks_wavefronts(const struct sl_task_queues *tasks)
{
    return tasks->groups * tasks->kept.group_wavefronts;
}

/* Who sees a queue below its threshold gives it one front, however many others do: so the defaults
 * are never exceeded. */
static enum sl_status choose_capacities(struct sl_task_queues *tasks,
                                        const struct sl_tasks_options *options)
{
    static const char *const names[] = {[SL_TASKS_OWN] = "the wavefronts' capacity",
                                        [SL_TASKS_GROUP] = "the work-groups' capacity",
                                        [SL_TASKS_DEVICE] = "the device's capacity"};
    const struct sl_tasks *const kept = &tasks->kept;
    const uint32_t *const threshold = kept->threshold;
    uint32_t *const capacity = tasks->kept.capacity;
    enum sl_status status = SL_OK;

    capacity[SL_TASKS_OWN] = or_default(options->capacity, OWN_CAPACITY);
    capacity[SL_TASKS_GROUP] = or_default(
        options->group_capacity, power_of_two(threshold[SL_TASKS_GROUP] + kept->group_wavefronts));
    capacity[SL_TASKS_DEVICE] =
        or_default(options->device_capacity,
                   power_of_two(threshold[SL_TASKS_DEVICE] + sl_tasks_wavefronts(tasks)));
    for (int i = 0; i < SL_TASKS_QUEUES && status == SL_OK; i++) {
        status = check_capacity(tasks->soc, names[i], capacity[i]);
    }
    return status;
}

enum sl_status sl_tasks_choose(struct sl_task_queues *tasks, struct sl_tasks_kernel work,
                               const struct sl_tasks_options *options)
{
    enum sl_status status = check_kernel(tasks, work, options);

    if (status == SL_OK) {
        tasks->kept.version = options->version;
        tasks->kept.functions = work.functions;
        tasks->task_bytes = work.task_bytes;
        status = choose_groups(tasks, options);
    }
    if (status == SL_OK) {
        status = choose_thresholds(tasks, options);
    }
    return status == SL_OK ? choose_capacities(tasks, options) : status;
}
