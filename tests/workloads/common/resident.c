/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One launch of wavefronts that are all resident at once. */
#include "workloads/common/resident.h"

#include <assert.h>
#include <string.h>

#include "check/launch/group_occupancy.h"
#include "sluice/device_barrier.h"
#include "sluice/program.h"

static uint32_t groups_for(struct sl_module *module, const char *kernel, const uint32_t group[3],
                           uint32_t items)
{
    const uint32_t wanted = sl_groups_of(items, group[0]);
    const uint32_t room = sl_resident_groups(module, kernel, group, 0);
    return room > 0 && room < wanted ? room : wanted;
}

enum sl_status resident_run(struct sl_soc *soc, const char *kernel, uint32_t groups, uint32_t items,
                            const struct sl_value *values, unsigned count)
{
    const uint32_t group[3] = {RESIDENT_GROUP, 1, 1};
    struct sl_module *const module = sl_app_kernels(soc);
    struct sl_value all[SL_LAUNCH_ARGUMENTS];

    assert(count < SL_LAUNCH_ARGUMENTS);
    all[0] = sl_value_pointer(sl_app_alloc(soc, sizeof(struct sl_device_barrier), 0));
    memcpy(all + 1, values, count * sizeof *values);
    const uint32_t group_count = groups > 0 ? groups : groups_for(module, kernel, group, items);
    const uint32_t grid[3] = {group_count * group[0], 1, 1};
    const enum sl_status status =
        sl_launch_resident_values(module, kernel, grid, group, 0, all, count + 1);
    return status == SL_OK ? sl_app_wait(soc, NULL) : status;
}
