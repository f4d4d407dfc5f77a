/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Describing launches in shared memory, for those that are a run and those that are a step of one.
 */
#ifndef SLUICE_HOST_LAUNCH_H
#define SLUICE_HOST_LAUNCH_H

#include "graph/refusal.h"
#include "host/sluice.h"
#include "launch/occupancy.h"

/* What the machine allows: as the firmware reads it from registers. */
struct sl_graph_limits sl_launch_limits(const struct sl_soc *soc);
struct sl_cu_shape sl_launch_shape(const struct sl_soc *soc);

/* Describes a step in *launch, unchecked but for what can only be said here: its kernel exists, and
 * it has not too many arguments. `what` names the step in messages. *name is the kernel's name,
 * which lives as long as the module. */
enum sl_status sl_launch_describe(struct sl_module *module, const struct sl_launch_step *step,
                                  const char *what, struct sl_launch *launch, const char **name);

#endif
