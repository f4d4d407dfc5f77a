/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What all checks have in common: their begin and end, and whether wavefronts have passed. */
#include "simt/deadlock/deadlock.h"

#include <string.h>

#include "simt/unit/pages.h"
#include "simt/unit/pool.h"

bool detector_create(struct deadlock_detector *detector, const struct cu_environment *env,
                     struct wave *waves, uint32_t count)
{
    detector->env = env;
    detector->waves = waves;
    detector->count = count;
    detector->queues = (struct event){.run = detector_lock_queue_event, .rank = EVENT_OTHER};
    detector->monitors = pages_allocate(count * sizeof(*detector->monitors));
    detector->steps = pages_allocate(count * sizeof(*detector->steps));
    detector->in_set = pages_allocate(count * sizeof(*detector->in_set));
    detector->idle_from = pages_allocate(count * sizeof(*detector->idle_from));
    return detector->monitors != NULL && detector->steps != NULL && detector->in_set != NULL &&
           detector->idle_from != NULL;
}

void detector_destroy(struct deadlock_detector *detector)
{
    pages_free(detector->monitors, detector->count * sizeof(*detector->monitors));
    pages_free(detector->steps, detector->count * sizeof(*detector->steps));
    pages_free(detector->in_set, detector->count * sizeof(*detector->in_set));
    pages_free(detector->idle_from, detector->count * sizeof(*detector->idle_from));
}

void detector_reset(struct deadlock_detector *detector)
{
    detector->pass = DETECTOR_NONE;
    detector->is_search = false;
    detector->finding = DETECTOR_UNDECIDED;
    detector->counter = NULL;
    detector->queues.queued = false;
    memset(&detector->last_writers, 0, sizeof(detector->last_writers));
}

static uint32_t limit_of(const struct wave *wave)
{
    return wave_cu(wave)->shape.spin_limit;
}

void detector_stop_watching(struct wave *wave)
{
    wave->monitor = NULL;
    wave->spin.left = limit_of(wave);
}

void detector_stop(struct deadlock_detector *detector)
{
    detector->pass = DETECTOR_NONE;
    detector->is_search = false;
    for (uint32_t i = 0; i < detector->count; i++) {
        if (detector->waves[i].state == WAVE_RUNNING) {
            detector_stop_watching(&detector->waves[i]);
        }
    }
}

void detector_start(struct deadlock_detector *detector)
{
    detector->pass = DETECTOR_FIRST;
    detector->resident = detector->env->activity->resident;
    detector->launched = detector->env->pool->wave_count;
    detector->rounds = 0;
    for (uint32_t i = 0; i < detector->count; i++) {
        struct wave *wave = &detector->waves[i];
        if (wave->state == WAVE_RUNNING) {
            detector->steps[i] = detector_steps_of(wave);
            wave->spin.left = 1;
        }
    }
}

bool detector_same_waves(const struct deadlock_detector *detector)
{
    return detector->resident == detector->env->activity->resident &&
           detector->launched == detector->env->pool->wave_count;
}

bool detector_has_passed(const struct deadlock_detector *detector, const struct wave *wave)
{
    const uint64_t steps = detector_steps_of(wave) - detector->steps[wave - detector->waves];

    if (wave->monitor != NULL) {
        return wave->monitor->judged == detector->pass;
    }
    return wave->waits_at_barrier ? steps == 0 : detector_retries(wave) && steps + 1 <= 2;
}

bool detector_have_all_passed(const struct deadlock_detector *detector)
{
    for (uint32_t i = 0; i < detector->count; i++) {
        if (detector->waves[i].state != WAVE_FREE &&
            !detector_has_passed(detector, &detector->waves[i])) {
            return false;
        }
    }
    return true;
}
