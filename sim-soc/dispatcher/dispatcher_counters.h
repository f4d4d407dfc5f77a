/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the front end counts during a run; times in CU cycles. */
#ifndef SLUICE_DISPATCHER_DISPATCHER_COUNTERS_H
#define SLUICE_DISPATCHER_DISPATCHER_COUNTERS_H

#include <stdint.h>

#include "simt/unit/resource.h"

struct front_counters {
    uint64_t dispatches;
    uint64_t elements;
    uint64_t limited_cycles[CU_RESOURCE_COUNT]; /* work waited for this resource */
    uint64_t faults;
};

#endif
