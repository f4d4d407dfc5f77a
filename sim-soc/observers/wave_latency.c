/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wavefronts with requests: by their context while they have one, in a list while they have none.
 */
#include "observers/wave_latency.h"

#include "sluice/config.h"
#include <stdlib.h>

int wave_latency_init(struct wave_latency *waves, const struct observer_parts *parts)
{
    const int64_t *number = parts->config->number;
    const size_t contexts = (size_t)number[SL_CFG_GPU_CONTEXTS];
    const size_t resident = (size_t)number[SL_CFG_GPU_CUS] * contexts;

    *waves = (struct wave_latency){
        .figures = parts->request,
        .contexts = (uint32_t)contexts,
        .waves = calloc(resident, sizeof(struct wave_times)),
        .away = calloc(parts->layout->pool_blocks, sizeof(struct wave_times)),
    };
    if (waves->waves == NULL || waves->away == NULL) {
        wave_latency_destroy(waves);
        return -1;
    }
    return 0;
}

void wave_latency_destroy(struct wave_latency *waves)
{
    free(waves->waves);
    free(waves->away);
}

void wave_latency_begin(struct wave_latency *waves)
{
    waves->away_count = 0;
    *waves->figures = (struct sl_histogram){0};
}

static struct wave_times *wave_of(const struct wave_latency *waves, const struct obs_event *event)
{
    return &waves->waves[event->wave.cu * waves->contexts + event->wave.context];
}

struct wave_times *wave_latency_launched(struct wave_latency *waves, const struct obs_event *event)
{
    struct wave_times *wave = wave_of(waves, event);

    wave->number = event->wave.number;
    wave->count = 0;
    wave->is_leaving = false;
    return wave;
}

/* Its place in the list goes to the last one there. */
static void come_back(struct wave_latency *waves, const struct obs_event *event)
{
    struct wave_times *wave = wave_latency_launched(waves, event);

    for (uint32_t i = 0; i < waves->away_count; i++) {
        if (waves->away[i].number == event->wave.number) {
            *wave = waves->away[i];
            wave->is_leaving = false;
            waves->away[i] = waves->away[--waves->away_count];
            return;
        }
    }
}

static void leave(struct wave_latency *waves, const struct obs_event *event)
{
    struct wave_times *wave = wave_of(waves, event);

    if (wave->count > 0 && wave->is_leaving) {
        waves->away[waves->away_count++] = *wave;
    } else {
        for (uint32_t i = 0; i < wave->count; i++) {
            sl_histogram_add(waves->figures, event->time_ps - wave->time_ps[i]);
        }
    }
    wave->count = 0;
}

void wave_latency_event(struct wave_latency *waves, const struct obs_event *event)
{
    switch (event->kind) {
    case OBS_RESTART:
        come_back(waves, event);
        break;
    case OBS_YIELD:
        wave_of(waves, event)->is_leaving = true;
        break;
    case OBS_LEAVE:
        leave(waves, event);
        break;
    default:
        break;
    }
}
