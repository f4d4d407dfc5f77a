/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wavefronts with elements: by their context while they have one, in a list while they have none.
 */
#include "observers/wave_latency.h"

#include "sluice/config.h"
#include <stdlib.h>

int wave_latency_init(struct wave_latency *waves, const struct observer_parts *parts,
                      const struct latency_figures *figures)
{
    const int64_t *number = parts->config->number;
    const size_t contexts = (size_t)number[SL_CFG_GPU_CONTEXTS];
    const size_t resident = (size_t)number[SL_CFG_GPU_CUS] * contexts;

    *waves = (struct wave_latency){
        .figures = *figures,
        .contexts = (uint32_t)contexts,
        .waves = calloc(resident, sizeof(struct wave_times)),
        .away = calloc(parts->layout->pool_blocks, sizeof(struct wave_times)),
        .away_numbers = calloc(parts->layout->pool_blocks, sizeof(uint64_t)),
    };
    if (waves->waves == NULL || waves->away == NULL || waves->away_numbers == NULL) {
        wave_latency_destroy(waves);
        return -1;
    }
    return 0;
}

void wave_latency_destroy(struct wave_latency *waves)
{
    free(waves->waves);
    free(waves->away);
    free(waves->away_numbers);
}

void wave_latency_begin(struct wave_latency *waves)
{
    waves->away_count = 0;
}

static struct wave_times *wave_of(const struct wave_latency *waves, const struct obs_event *event)
{
    return &waves->waves[event->wave.cu * waves->contexts + event->wave.context];
}

struct wave_times *wave_latency_launched(struct wave_latency *waves, const struct obs_event *event)
{
    struct wave_times *wave = wave_of(waves, event);

    wave->number = event->wave.number;
    wave->launched_ps = event->time_ps;
    wave->channel = event->wave.channel;
    wave->elements = 0;
    wave->requests = 0;
    wave->is_leaving = false;
    return wave;
}

static void go_away(struct wave_latency *waves, const struct wave_times *wave)
{
    waves->away_numbers[waves->away_count] = wave->number;
    waves->away[waves->away_count++] = *wave;
}

/* Its place in the list goes to the last one there. */
static void come_back(struct wave_latency *waves, const struct obs_event *event)
{
    struct wave_times *wave = wave_latency_launched(waves, event);

    for (uint32_t i = 0; i < waves->away_count; i++) {
        if (waves->away_numbers[i] == event->wave.number) {
            *wave = waves->away[i];
            wave->is_leaving = false;
            waves->away_count--;
            waves->away[i] = waves->away[waves->away_count];
            waves->away_numbers[i] = waves->away_numbers[waves->away_count];
            return;
        }
    }
}

static void end(const struct latency_figures *figures, const struct wave_times *wave,
                uint64_t time_ps)
{
    const uint64_t dispatched_ps = time_ps - wave->launched_ps;

    if (figures->all != NULL) {
        sl_histogram_add(&figures->all->dispatched, dispatched_ps, wave->elements);
    }
    if (figures->channels != NULL) {
        sl_histogram_add(&figures->channels->of[wave->channel].dispatched, dispatched_ps,
                         wave->elements);
    }
    for (uint32_t i = 0; figures->request != NULL && i < wave->requests; i++) {
        sl_histogram_add(figures->request, time_ps - wave->due_ps[i], 1);
    }
}

static void leave(struct wave_latency *waves, const struct obs_event *event)
{
    struct wave_times *wave = wave_of(waves, event);

    if (wave->elements + wave->requests == 0) {
        return;
    }
    if (wave->is_leaving) {
        go_away(waves, wave);
    } else {
        end(&waves->figures, wave, event->time_ps);
    }
    wave->elements = 0;
    wave->requests = 0;
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
