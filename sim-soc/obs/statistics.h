/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The published statistics of a run (hal/regs/statistics.def), made of what the parts counted. */
#ifndef SLUICE_OBS_STATISTICS_H
#define SLUICE_OBS_STATISTICS_H

#include <stdint.h>

#include "obs/stream/counters.h"
#include "obs/stream/mem_counters.h"
#include "sluice/statistics.h"

/* The circumstances of a run. */
struct statistics_run {
    uint64_t gpu_cycles;
    uint32_t lanes;
    uint64_t block_bytes; /* of the wavefront state pool */
    uint64_t agg_ps;
    uint64_t agg_cycle_ps;
    double wall_s;
};

/* Fills the statistics block, one 64-bit word each. */
void statistics_fill(uint64_t block[SL_STAT_COUNT], const struct counters *counters,
                     const struct mem_counters *memory, const struct statistics_run *run);

#endif
