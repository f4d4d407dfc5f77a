/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "soc/progress_watchdog.h"

/* There is no progress only where firmware has executed an instruction in so many cycles of the
 * limit. With fewer it may only have waited for memory. */
#define FIRMWARE_SHARE 64u

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
        progress->effect_ps = now_ps;
        progress->quiet = 0;
        progress->last = (struct progress_mark){0};
    }
}

static struct progress_mark mark_of(const struct gpu *gpu, const struct host_store_counters *feed,
                                    uint64_t firmware)
{
    const struct cu_counters cus = gpu_counters(gpu);

    return (struct progress_mark){
        .deeds = gpu->pool.wave_count + cus.yields + cus.restarts + cus.lock_acquired +
                 feed->messages + feed->full,
        .resident = gpu->env.activity->resident,
        .firmware = firmware,
    };
}

/* Notes what wavefronts and host have done so far. Returns whether that is more than before. */
static bool has_moved(struct progress *progress, const struct progress_mark *now)
{
    if (now->deeds == progress->last.deeds && now->resident == progress->last.resident) {
        return false;
    }
    progress->last = *now;
    return true;
}

/* Notes whether anybody has done anything that another one could find, since the look before. */
static void note_effect(struct progress *progress, struct gpu *gpu, uint64_t now_ps)
{
    struct last_writers *last_writers = gpu->env.last_writers;

    if (last_writers->has_any || progress->quiet == 0) {
        last_writers->has_any = false;
        progress->effect_ps = now_ps;
        detector_mark_progress(&gpu->detector);
    }
}

static bool makes_no_progress(const struct progress *progress, const struct progress_mark *now,
                              enum detector_finding finding)
{
    return finding == DETECTOR_NO_PROGRESS && progress->quiet == PROGRESS_LOOKS &&
           now->firmware - progress->last.firmware >= progress->limit_cycles / FIRMWARE_SHARE;
}

enum progress_finding progress_look(struct progress *progress, struct gpu *gpu,
                                    const struct host_store_counters *feed, uint64_t firmware,
                                    bool waits, uint64_t now_ps)
{
    const enum detector_finding finding = detector_search_end(&gpu->detector);
    const struct progress_mark now = mark_of(gpu, feed, firmware);

    while (progress->look_ps <= now_ps) {
        progress->look_ps += progress->period_ps;
    }
    progress->quiet = has_moved(progress, &now) || waits ? 0 : progress->quiet + 1;
    note_effect(progress, gpu, now_ps);
    if (makes_no_progress(progress, &now, finding)) {
        return PROGRESS_NONE;
    }
    if (finding == DETECTOR_CHANGE &&
        detector_counted_instructions(&gpu->detector) > progress->limit_cycles) {
        return PROGRESS_COUNTS;
    }
    if (finding == DETECTOR_CHANGE || progress->quiet == PROGRESS_LOOKS) {
        progress->quiet = 0;
    }
    if (progress->quiet >= PROGRESS_LOOKS / 2) {
        detector_search(&gpu->detector, progress->quiet == PROGRESS_LOOKS / 2);
    }
    return PROGRESS_MADE;
}
