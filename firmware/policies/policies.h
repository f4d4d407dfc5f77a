/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The scheduling policies by enum sl_scheduler, from hal/contract/policies.def. */
#ifndef SLUICE_FIRMWARE_POLICIES_H
#define SLUICE_FIRMWARE_POLICIES_H

#include "graph/scheduler.h"

extern const struct scheduler *const policy_table[SL_SCHEDULER_COUNT];

#endif
