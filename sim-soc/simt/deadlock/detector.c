/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What all looks have in common: their begin and end, and whether wavefronts have passed. */
#include "simt/deadlock/deadlock.h"

#include <string.h>

#include "simt/unit/pages.h"
#include "simt/unit/pool.h"

bool look_create(struct look *look, const struct cu_environment *env, struct wave *waves,
                 uint32_t count)
{
    look->env = env;
    look->waves = waves;
    look->count = count;
    look->queues = (struct event){.run = look_queues_event, .rank = EVENT_OTHER};
    look->watches = pages_allocate(count * sizeof(*look->watches));
    look->steps = pages_allocate(count * sizeof(*look->steps));
    look->in_set = pages_allocate(count * sizeof(*look->in_set));
    look->idle_from = pages_allocate(count * sizeof(*look->idle_from));
    return look->watches != NULL && look->steps != NULL && look->in_set != NULL &&
           look->idle_from != NULL;
}

void look_destroy(struct look *look)
{
    pages_free(look->watches, look->count * sizeof(*look->watches));
    pages_free(look->steps, look->count * sizeof(*look->steps));
    pages_free(look->in_set, look->count * sizeof(*look->in_set));
    pages_free(look->idle_from, look->count * sizeof(*look->idle_from));
}

void look_reset(struct look *look)
{
    look->pass = LOOK_NONE;
    look->is_search = false;
    look->finding = LOOK_UNDECIDED;
    look->counter = NULL;
    look->queues.queued = false;
    memset(&look->changers, 0, sizeof(look->changers));
}

static uint32_t limit_of(const struct wave *wave)
{
    return wave_cu(wave)->shape.spin_limit;
}

void look_stop_watching(struct wave *wave)
{
    wave->watch = NULL;
    wave->spin.left = limit_of(wave);
}

void look_end(struct look *look)
{
    look->pass = LOOK_NONE;
    look->is_search = false;
    for (uint32_t i = 0; i < look->count; i++) {
        if (look->waves[i].state == WAVE_RUNNING) {
            look_stop_watching(&look->waves[i]);
        }
    }
}

void look_begin(struct look *look)
{
    look->pass = LOOK_FIRST;
    look->resident = look->env->activity->resident;
    look->launched = look->env->pool->wave_count;
    look->turns = 0;
    for (uint32_t i = 0; i < look->count; i++) {
        struct wave *wave = &look->waves[i];
        if (wave->state == WAVE_RUNNING) {
            look->steps[i] = look_steps_of(wave);
            wave->spin.left = 1;
        }
    }
}

bool look_is_same_company(const struct look *look)
{
    return look->resident == look->env->activity->resident &&
           look->launched == look->env->pool->wave_count;
}

bool look_has_passed(const struct look *look, const struct wave *wave)
{
    const uint64_t steps = look_steps_of(wave) - look->steps[wave - look->waves];

    if (wave->watch != NULL) {
        return wave->watch->judged == look->pass;
    }
    return wave->waits_at_barrier ? steps == 0 : look_retries(wave) && steps + 1 <= 2;
}

bool look_have_all_passed(const struct look *look)
{
    for (uint32_t i = 0; i < look->count; i++) {
        if (look->waves[i].state != WAVE_FREE && !look_has_passed(look, &look->waves[i])) {
            return false;
        }
    }
    return true;
}
