/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The published statistics of a run (hal/contract/statistics.def), made of what the parts counted.
 */
#ifndef SLUICE_OBSERVERS_PUBLISHED_STATISTICS_H
#define SLUICE_OBSERVERS_PUBLISHED_STATISTICS_H

#include <stdint.h>

#include "aggregator/core_counters.h"
#include "config/energy.h"
#include "dispatcher/dispatcher_counters.h"
#include "events/activity.h"
#include "mem/mem_counters.h"
#include "observers/feed_counters.h"
#include "observers/races/races.h"
#include "observers/throttle_bounds.h"
#include "recordings/channel_latency.h"
#include "simt/unit/unit_counters.h"
#include "sluice/codes.h"
#include "sluice/statistics.h"

/* The circumstances of a run, and what the parts of the machine have counted. */
struct statistics_run {
    uint64_t time_ps; /* that it has taken */
    uint64_t gpu_cycles;
    uint64_t gpu_cycle_ps;
    uint32_t lanes;
    uint32_t simds;       /* of all compute units */
    uint64_t block_bytes; /* of the wavefront state pool */
    uint64_t blocks_max;  /* in use at once */
    uint64_t agg_ps;      /* the aggregator's clock: the same at the end, maybe ahead before */
    uint64_t agg_cycle_ps;
    double wall_s;
    struct cu_counters cus; /* of all compute units together */
    const struct front_counters *front;
    const struct activity *activity;
    const struct agg_counters *agg;
    const uint64_t *phase_ps; /* by enum sl_phase: the aggregator's time */
    uint64_t passes;          /* of the firmware */
    const struct mem_counters *memory;
    const struct sl_element_latency *latency; /* of all channels */
    const struct sl_histogram *request; /* of those that the host put in while the graph ran */
    const struct race_counters *races;  /* NULL: nobody looks for them */
    const struct host_store_counters *feed;
    const struct bounds *bounds;
    const struct sl_energy_model *energy; /* NULL: the machine has none */
};

/* Fills the statistics block, one 64-bit word each. */
void statistics_fill(uint64_t block[SL_STAT_COUNT], const struct statistics_run *run);

#endif
