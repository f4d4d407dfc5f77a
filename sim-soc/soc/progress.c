/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "soc/progress.h"

void progress_init(struct progress *progress, uint64_t limit_cycles, uint64_t cycle_ps)
{
    *progress = (struct progress){
        .limit_cycles = limit_cycles,
        .period_ps = (limit_cycles + PROGRESS_LOOKS - 1) / PROGRESS_LOOKS * cycle_ps,
        .look_ps = PROGRESS_NEVER,
    };
}

void progress_stop(struct progress *progress)
{
    progress->look_ps = PROGRESS_NEVER;
}

void progress_start(struct progress *progress, uint64_t now_ps)
{
    if (progress->limit_cycles != 0) {
        progress->look_ps = now_ps + progress->period_ps;
        progress->deeds = 0;
        progress->resident = 0;
        progress->quiet = 0;
    }
}

/* Notes what wavefronts and host have done so far. Returns whether that is more than before. */
static bool has_moved(struct progress *progress, const struct gpu *gpu,
                      const struct feed_counters *feed)
{
    const struct cu_counters cus = gpu_counters(gpu);
    const uint32_t resident = gpu->env.activity->resident;
    const uint64_t deeds = gpu->pool.wave_count + cus.yields + cus.restarts + cus.lock_acquired +
                           feed->messages + feed->full;
    const bool has = deeds != progress->deeds || resident != progress->resident;

    progress->deeds = deeds;
    progress->resident = resident;
    return has;
}

bool progress_look(struct progress *progress, struct gpu *gpu, const struct feed_counters *feed,
                   bool waits, uint64_t now_ps)
{
    const enum look_finding finding = look_search_end(&gpu->look);

    while (progress->look_ps <= now_ps) {
        progress->look_ps += progress->period_ps;
    }
    progress->quiet = has_moved(progress, gpu, feed) || waits ? 0 : progress->quiet + 1;
    if (progress->quiet == PROGRESS_LOOKS && finding == LOOK_STANDSTILL) {
        return true;
    }
    if (finding == LOOK_CHANGE || progress->quiet == PROGRESS_LOOKS) {
        progress->quiet = 0;
    }
    if (progress->quiet >= PROGRESS_LOOKS / 2) {
        look_search(&gpu->look, progress->quiet == PROGRESS_LOOKS / 2);
    }
    return false;
}
