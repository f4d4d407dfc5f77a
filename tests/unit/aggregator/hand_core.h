/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A core whose cycles are worked out by hand, at 2 GHz. */
#ifndef SLUICE_UNIT_AGGREGATOR_HAND_CORE_H
#define SLUICE_UNIT_AGGREGATOR_HAND_CORE_H

#include "aggregator/core.h"

#define HAND_CYCLE_PS 500ull

/* Makes a core with these settings, which NULL ends, on a memory system; a run begins. */
struct agg_core *hand_core(struct sl_config *config, struct mem_system *memory,
                           const char *const *settings);

#endif
