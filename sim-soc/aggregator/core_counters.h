/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the aggregator's core counts during a run. */
#ifndef SLUICE_AGGREGATOR_CORE_COUNTERS_H
#define SLUICE_AGGREGATOR_CORE_COUNTERS_H

#include <stdint.h>

#include "recordings/cycle_stack.h"

struct agg_counters {
    uint64_t instructions;
    uint64_t branches;
    uint64_t mispredictions;
    uint64_t loads;
    uint64_t forwarded_loads;
    uint64_t stores;
    uint64_t device_accesses;
    uint64_t fetches;
    uint64_t stack[SL_STACK_CLASSES]; /* cycles; together those of the core's clock */
};

#endif
