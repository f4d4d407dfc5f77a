/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The statistics of a run, at its end or on the way. */
#include <string.h>

#include "observers/published_statistics.h"
#include "soc/soc.h"

/* How time divides is known up to the last event; from there on it is as that has left it. */
static struct activity activity_until(const struct soc *soc, uint64_t cycle)
{
    struct activity activity = soc->activity;

    activity_account(&activity, cycle);
    return activity;
}

/* The phase that is on has lasted until now. */
static void phases_until_now(const struct soc *soc, uint64_t *phase_ps)
{
    memcpy(phase_ps, soc->phase_ps, sizeof(soc->phase_ps));
    phase_ps[soc->activity.phase] += soc->core->time_ps - soc->phase_start_ps;
}

void soc_measure(const struct soc *soc, uint64_t time_ps, uint64_t statistics[SL_STAT_COUNT])
{
    const uint64_t cycles = time_ps / soc->event_queue.cycle_ps;
    const struct activity activity = activity_until(soc, cycles);
    uint64_t phase_ps[SL_PHASE_COUNT];
    const struct statistics_run run = {
        .time_ps = time_ps,
        .gpu_cycles = cycles,
        .gpu_cycle_ps = soc->event_queue.cycle_ps,
        .lanes = soc->gpu->cus[0].shape.lanes,
        .simds = soc->gpu->cu_count * soc->gpu->cus[0].shape.simds,
        .block_bytes = soc->gpu->pool.block_bytes,
        .blocks_max = soc->gpu->pool.used_max,
        .agg_ps = soc->core->time_ps,
        .agg_cycle_ps = soc->core->cycle_ps,
        .wall_s = soc->host.clock(soc->host.owner) - soc->wall_start_s,
        .cus = gpu_counters(soc->gpu),
        .front = &soc->dispatcher.counters,
        .activity = &activity,
        .agg = &soc->core->counters,
        .phase_ps = phase_ps,
        .passes = soc->passes,
        .memory = &soc->mem->counters,
        .latency = &soc->latency,
        .request = &soc->request,
        .races = soc->races,
        .feed = &soc->feed,
        .bounds = &soc->bounds,
        .energy = soc->has_energy ? &soc->energy : NULL,
    };

    phases_until_now(soc, phase_ps);
    statistics_fill(statistics, &run);
}
