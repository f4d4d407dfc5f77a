/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Programs that are one launch, whose wavefronts go through all steps together and meet at a
 * barrier of the device between them (sluice/wave/device_barrier.h). */
#ifndef SLUICE_WORKLOADS_COMMON_RESIDENT_H
#define SLUICE_WORKLOADS_COMMON_RESIDENT_H

#include <argp.h>
#include <stdint.h>

#include "sluice/sluice.h"

#define RESIDENT_GROUP 64 /* work-items of a work-group */

/* A line of an argp option table. */
#define RESIDENT_OPTION(key)                                                                       \
    {                                                                                              \
        "groups", key, "NUMBER", 0,                                                                \
            "Work-groups of 64 work-items, which all have to be resident at once (default: as "    \
            "many as can be, and have work)",                                                      \
            0                                                                                      \
    }

/* The option's argument. What is no number of work-groups ends the program with a message. */
uint32_t resident_groups(const struct argp_state *state, const char *argument);

/* Launches the kernel of this name from a kernel file that was built with the program, and waits
 * for its end. The kernel gets the address of a struct sl_device_barrier in front of the `count`
 * arguments. Work-groups have 64 work-items, so that neighbours who share cache lines are on one
 * compute unit. There are `groups` of them, all whole; where that is 0, as many as `items`
 * work-items need, or as can be resident where these are fewer. Otherwise as sl_launch_resident().
 */
SL_MUST_USE enum sl_status resident_run(struct sl_soc *soc, const char *kernels, const char *kernel,
                                        uint32_t groups, uint32_t items, const uint64_t *arguments,
                                        unsigned count);

#endif
