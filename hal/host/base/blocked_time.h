/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The time of a run in which no wavefront is resident, so that the GPU waits for the aggregator, in
 * parts (gpu.blocked.* of docs/look-up/statistics.md). Of the part between wavefronts it matters
 * what the firmware was doing meanwhile; what the firmware does while wavefronts execute
 * (agg.phase.*) costs the GPU nothing. */
#ifndef SLUICE_HOST_BASE_BLOCKED_TIME_H
#define SLUICE_HOST_BASE_BLOCKED_TIME_H

#include <stdint.h>

#include "sluice/codes.h"

/* From here on blocked time is worth a look. */
#define SL_BLOCKED_MUCH_PCT 15

/* In per cent of gpu.cycles. */
struct sl_blocked_time {
    double pct;
    double before_pct;                /* the first wavefront */
    double between_pct;               /* the first and the last */
    double after_pct;                 /* the last */
    double phase_pct[SL_PHASE_COUNT]; /* those between, by what the firmware was doing */
};

/* All 0 of no run. */
struct sl_blocked_time sl_blocked_time(const uint64_t *statistics);

#endif
