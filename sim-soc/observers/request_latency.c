/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wavefronts with requests: by their context while they have one, in a list while they have none.
 */
#include "observers/request_latency.h"

#include "sluice/config.h"
#include <stdlib.h>

int requests_init(struct requests *requests, const struct observer_parts *parts)
{
    const int64_t *number = parts->config->number;
    const size_t contexts = (size_t)number[SL_CFG_GPU_CONTEXTS];
    const size_t resident = (size_t)number[SL_CFG_GPU_CUS] * contexts;

    *requests = (struct requests){
        .figures = parts->request,
        .contexts = (uint32_t)contexts,
        .waves = calloc(resident, sizeof(struct request_wave)),
        .away = calloc(parts->layout->pool_blocks, sizeof(struct request_wave)),
    };
    if (requests->waves == NULL || requests->away == NULL) {
        requests_destroy(requests);
        return -1;
    }
    return 0;
}

void requests_destroy(struct requests *requests)
{
    free(requests->waves);
    free(requests->away);
}

void requests_begin(struct requests *requests)
{
    requests->away_count = 0;
    *requests->figures = (struct sl_histogram){0};
}

static struct request_wave *wave_of(const struct requests *requests, const struct obs_event *event)
{
    return &requests->waves[event->wave.cu * requests->contexts + event->wave.context];
}

struct request_wave *requests_launched(struct requests *requests, const struct obs_event *event)
{
    struct request_wave *wave = wave_of(requests, event);

    wave->number = event->wave.number;
    wave->count = 0;
    wave->is_leaving = false;
    return wave;
}

/* Its place in the list goes to the last one there. */
static void come_back(struct requests *requests, const struct obs_event *event)
{
    struct request_wave *wave = requests_launched(requests, event);

    for (uint32_t i = 0; i < requests->away_count; i++) {
        if (requests->away[i].number == event->wave.number) {
            *wave = requests->away[i];
            wave->is_leaving = false;
            requests->away[i] = requests->away[--requests->away_count];
            return;
        }
    }
}

static void leave(struct requests *requests, const struct obs_event *event)
{
    struct request_wave *wave = wave_of(requests, event);

    if (wave->count > 0 && wave->is_leaving) {
        requests->away[requests->away_count++] = *wave;
    } else {
        for (uint32_t i = 0; i < wave->count; i++) {
            sl_histogram_add(requests->figures, event->time_ps - wave->time_ps[i]);
        }
    }
    wave->count = 0;
}

void requests_event(struct requests *requests, const struct obs_event *event)
{
    switch (event->kind) {
    case OBS_RESTART:
        come_back(requests, event);
        break;
    case OBS_YIELD:
        wave_of(requests, event)->is_leaving = true;
        break;
    case OBS_LEAVE:
        leave(requests, event);
        break;
    default:
        break;
    }
}
