/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Checks the launch of a kernel over an NDRange before anything runs it: what could never be placed
 * on a compute unit is refused with the reason, by the host library, by the firmware, and its
 * numbers by the device too. */
#ifndef SLUICE_CHECK_LAUNCH_LAUNCH_CHECK_H
#define SLUICE_CHECK_LAUNCH_LAUNCH_CHECK_H

#include <stdint.h>

#include "check/graph/graph_check.h"
#include "check/launch/group_occupancy.h"

/* Grid, work-group, registers and LDS, without looking at memory. Returns 0; or -1 with *refusal
 * filled: `node` is the dimension that the reason is about, `value` and `limit` as of graphs. */
int sl_launch_check_shape(const uint32_t grid[3], const uint32_t group[3], uint32_t registers,
                          uint32_t lds_bytes, const struct sl_cu_shape *cu,
                          struct sl_graph_refusal *refusal);

/* A whole launch in shared memory. */
int sl_launch_check(const struct sl_launch *launch, const struct sl_graph_limits *limits,
                    const struct sl_cu_shape *cu, struct sl_graph_refusal *refusal,
                    struct sl_graph_scratch *scratch);

#endif
