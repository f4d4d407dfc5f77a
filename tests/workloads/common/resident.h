/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Programs that are one launch, whose wavefronts go through all steps together and meet at a
 * barrier of the device between them (sluice/wave/device_barrier.h). */
#ifndef SLUICE_WORKLOADS_COMMON_RESIDENT_H
#define SLUICE_WORKLOADS_COMMON_RESIDENT_H

#include <stdint.h>

#include "sluice/argument.h"
#include "sluice/sluice.h"

#define RESIDENT_GROUP 64 /* work-items of a work-group */

/* A row of a program's table: --groups; a field of type uint32_t, 0 where it is not given. */
#define RESIDENT_ROW(type, field)                                                                  \
    {                                                                                              \
        "groups", 'g', SL_NUMBER, 1, 65536, SL_INTO(type, field),                                  \
            "Work-groups of 64 work-items, which all have to be resident at once (default: as "    \
            "many as can be, and have work)"                                                       \
    }

/* Launches the kernel of this name from sl_app_kernels(), and waits for its end. The kernel gets
 * the address of a struct sl_device_barrier in front of the `count` values, SL_VALUES().
 * Work-groups have 64 work-items, so that neighbours who share cache lines are on one compute unit.
 * There are `groups` of them, all whole; where that is 0, as many as `items` work-items need, or as
 * can be resident where these are fewer. Otherwise as sl_launch_resident_values(). */
SL_MUST_USE enum sl_status resident_run(struct sl_soc *soc, const char *kernel, uint32_t groups,
                                        uint32_t items, const struct sl_value *values,
                                        unsigned count);

#endif
