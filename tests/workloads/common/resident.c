/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One launch of wavefronts that are all resident at once. */
#include "workloads/common/resident.h"

#include <assert.h>
#include <string.h>

#include "check/launch/group_occupancy.h"
#include "sluice/device_barrier.h"
#include "sluice/program.h"

#define GROUPS_MAX 65536 /* more than any machine's contexts */

uint32_t resident_groups(const struct argp_state *state, const char *argument)
{
    return (uint32_t)sl_app_number(state, "--groups", argument, 1, GROUPS_MAX);
}

static uint32_t groups_for(struct sl_module *module, const char *kernel, const uint32_t group[3],
                           uint32_t items)
{
    const uint32_t wanted = sl_groups_of(items, group[0]);
    const uint32_t room = sl_resident_groups(module, kernel, group, 0);
    return room > 0 && room < wanted ? room : wanted;
}

enum sl_status resident_run(struct sl_soc *soc, const char *kernels, const char *kernel,
                            uint32_t groups, uint32_t items, const uint64_t *arguments,
                            unsigned count)
{
    const uint32_t group[3] = {RESIDENT_GROUP, 1, 1};
    uint64_t all[SL_LAUNCH_ARGUMENTS];
    struct sl_module *module;

    assert(count < SL_LAUNCH_ARGUMENTS);
    enum sl_status status = sl_app_load(soc, kernels, &module);
    if (status != SL_OK) {
        return status;
    }
    const struct sl_device_barrier *const barrier = sl_alloc(soc, sizeof *barrier, 0);
    if (barrier == NULL) {
        return SL_ERROR_USAGE;
    }
    all[0] = (uintptr_t)barrier;
    memcpy(all + 1, arguments, count * sizeof *arguments);
    const uint32_t group_count = groups > 0 ? groups : groups_for(module, kernel, group, items);
    const uint32_t grid[3] = {group_count * group[0], 1, 1};
    status = sl_launch_resident(module, kernel, grid, group, 0, all, count + 1);
    return status == SL_OK ? sl_app_wait(soc, NULL) : status;
}
