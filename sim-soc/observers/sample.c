/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Samples: the statistics at the end of each interval of a run, and at its end. The host makes
 * differences of them. Nothing here changes what is simulated. */
#include <stdlib.h>
#include <string.h>

#include "observers/graph_lookup.h"
#include "observers/observers.h"
#include "sluice/config.h"

struct sampler {
    struct observer base;
    struct ring_writer ring;
    struct statistics_reader meter;
    struct dram dram;
    const struct activity *activity;
    uint64_t interval_ps;
    const struct sl_channel *channels;
    uint32_t channel_count;
    uint64_t launched; /* elements of all channels that wavefronts were launched for, ever */
};

/* Elements of all channels that are published, without those that are launched. */
static uint64_t ready_elements(const struct sampler *sampler)
{
    uint64_t published = 0;

    for (uint32_t i = 0; i < sampler->channel_count; i++) {
        published += sampler->channels[i].control_tail;
    }
    return published > sampler->launched ? published - sampler->launched : 0;
}

static void take(struct sampler *sampler, enum sl_sample_kind kind, uint64_t time_ps)
{
    struct sl_sample *sample = (void *)ring_take(&sampler->ring, SL_SAMPLE_WORDS,
                                                 (struct sl_ring_record){.kind = (uint8_t)kind});

    if (sample != NULL) {
        sample->time_ps = time_ps;
        sample->gauges[SL_GAUGE_RESIDENT] = sampler->activity->resident;
        sample->gauges[SL_GAUGE_READY] = ready_elements(sampler);
        sampler->meter.read(sampler->meter.owner, time_ps, sample->statistics);
        ring_put(&sampler->ring);
    }
}

static void set_graph(struct sampler *sampler, uint64_t address)
{
    uint32_t count = 0;

    sampler->channels = graph_channels(&sampler->dram, address, &count);
    sampler->channel_count = sampler->channels != NULL ? count : 0;
    sampler->launched = 0;
    for (uint32_t i = 0; i < sampler->channel_count; i++) {
        sampler->launched += sampler->channels[i].control_head;
    }
}

static void launch(struct sampler *sampler, const struct obs_event *event)
{
    if (event->wave.channel < sampler->channel_count) {
        sampler->launched += event->life.lanes;
    }
}

static void begin(struct sampler *sampler)
{
    sampler->channel_count = 0;
    sampler->base.tick_ps = sampler->interval_ps;
    take(sampler, SL_SAMPLE_BEGIN, 0);
}

static void sampler_event(struct observer *observer, const struct obs_event *event)
{
    struct sampler *sampler = (struct sampler *)observer;

    switch (event->kind) {
    case OBS_BEGIN:
        begin(sampler);
        break;
    case OBS_GRAPH:
        set_graph(sampler, event->address);
        break;
    case OBS_LAUNCH:
        launch(sampler, event);
        break;
    case OBS_TICK:
        take(sampler, SL_SAMPLE_TAKEN, event->time_ps);
        sampler->base.tick_ps = event->time_ps + sampler->interval_ps;
        break;
    default:
        take(sampler, SL_SAMPLE_LAST, event->time_ps);
        ring_flush(&sampler->ring);
        break;
    }
}

static void sampler_destroy(struct observer *observer)
{
    free(observer);
}

int obs_sample_create(const struct observer_parts *parts, struct observer **observer)
{
    static const struct observer_ops ops = {
        .name = "sample",
        .wants =
            1u << OBS_BEGIN | 1u << OBS_GRAPH | 1u << OBS_LAUNCH | 1u << OBS_TICK | 1u << OBS_END,
        .event = sampler_event,
        .destroy = sampler_destroy,
    };

    if (parts->samples == NULL) {
        return 0;
    }
    struct sampler *sampler = calloc(1, sizeof(*sampler));
    if (sampler == NULL) {
        return -1;
    }
    sampler->base.ops = &ops;
    sampler->meter = parts->meter;
    sampler->dram = *parts->dram;
    sampler->activity = parts->activity;
    sampler->interval_ps =
        parts->samples->interval_cycles * sl_config_period_ps(parts->config, SL_CFG_GPU_CLOCK);
    ring_open(&sampler->ring, &parts->samples->ring, parts->ring_host);
    *observer = &sampler->base;
    return 0;
}
