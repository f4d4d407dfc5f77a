/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The timeline: what happened when, as records in a bounded block that the host reads after the
 * run.
 *
 * Phases and wavefronts are recorded as they come. Occupancy of channels and traffic of DRAM are
 * looked at where the firmware enters a phase, at most once in an interval, and recorded where they
 * have changed. What finds no room is counted. Nothing here changes what is simulated. */
#include <stdlib.h>
#include <string.h>

#include "observers/graph_lookup.h"
#include "observers/observers.h"
#include "sluice/codes.h"
#include "sluice/config.h"

struct timeline {
    struct observer base;
    struct sl_timeline *shared;
    struct dram dram;
    const struct mem_counters *memory;
    uint64_t interval_ps;
    uint64_t next_sample_ps;
    uint64_t last_sample_ps;
    uint64_t dram_lines; /* moved up to then */
    bool dram_moved;     /* some of them since the sample before */
    uint64_t phase;      /* recorded last */
    const struct sl_channel *channels;
    uint32_t channel_count;
    struct timeline_channel {
        uint64_t held;
        uint64_t ready;
    } last[SL_GRAPH_CHANNELS];            /* as recorded */
    uint64_t launched[SL_GRAPH_CHANNELS]; /* elements that have been ready */
};

/* Something happened; `record` may lie in the future of what was recorded before. */
static void record_event(struct timeline *timeline, struct sl_trace_record record)
{
    struct sl_timeline *shared = timeline->shared;

    if (shared->count < shared->capacity) {
        shared->records[shared->count++] = record;
        return;
    }
    if (shared->lost++ == 0) {
        shared->first_lost_ps = record.time_ps;
    }
}

static void begin(struct timeline *timeline)
{
    struct sl_timeline *shared = timeline->shared;

    shared->count = 0;
    shared->lost = 0;
    shared->first_lost_ps = 0;
    shared->end_ps = 0;
    timeline->next_sample_ps = 0;
    timeline->last_sample_ps = 0;
    timeline->dram_lines = 0;
    timeline->dram_moved = false;
    timeline->phase = SL_PHASE_OTHER;
    timeline->channel_count = 0;
    record_event(timeline, (struct sl_trace_record){.kind = SL_TRACE_PHASE, .a = SL_PHASE_OTHER});
}

static void set_graph(struct timeline *timeline, uint64_t address)
{
    memset(timeline->last, 0, sizeof(timeline->last));
    timeline->channels = graph_channels(&timeline->dram, address, &timeline->channel_count);
    for (uint32_t i = 0; i < timeline->channel_count; i++) {
        timeline->launched[i] = timeline->channels[i].control_head;
    }
}

/* The firmware stores a channel's control_head later than it dispatches. */
static void note_launch(struct timeline *timeline, const struct obs_event *event)
{
    if (event->wave.channel < timeline->channel_count) {
        timeline->launched[event->wave.channel] += event->life.lanes;
    }
}

static void sample_channels(struct timeline *timeline, uint64_t time_ps)
{
    for (uint32_t i = 0; i < timeline->channel_count; i++) {
        const struct sl_channel *channel = &timeline->channels[i];
        struct timeline_channel now = {
            .held = channel->data_tail - channel->data_head,
            .ready = channel->control_tail - timeline->launched[i],
        };
        if (now.held != timeline->last[i].held || now.ready != timeline->last[i].ready) {
            timeline->last[i] = now;
            record_event(timeline, (struct sl_trace_record){.time_ps = time_ps,
                                                            .kind = SL_TRACE_CHANNEL,
                                                            .id = i,
                                                            .a = now.held,
                                                            .b = now.ready});
        }
    }
}

/* Intervals with traffic, and the first one without. */
static void sample_dram(struct timeline *timeline, uint64_t time_ps)
{
    uint64_t lines = timeline->memory->dram_reads + timeline->memory->dram_writes;
    uint64_t moved = lines - timeline->dram_lines;

    if ((moved > 0 || timeline->dram_moved) && time_ps > timeline->last_sample_ps) {
        record_event(timeline,
                     (struct sl_trace_record){.time_ps = time_ps,
                                              .kind = SL_TRACE_DRAM,
                                              .a = moved * timeline->memory->dram_line_bytes,
                                              .b = time_ps - timeline->last_sample_ps});
        timeline->dram_lines = lines;
        timeline->dram_moved = moved > 0;
    }
}

static void take_samples(struct timeline *timeline, uint64_t time_ps)
{
    sample_channels(timeline, time_ps);
    sample_dram(timeline, time_ps);
    timeline->last_sample_ps = time_ps;
    timeline->next_sample_ps = time_ps + timeline->interval_ps;
}

static void enter_phase(struct timeline *timeline, uint64_t time_ps, uint64_t phase)
{
    if (phase != timeline->phase) {
        timeline->phase = phase;
        record_event(timeline, (struct sl_trace_record){
                                   .time_ps = time_ps, .kind = SL_TRACE_PHASE, .a = phase});
    }
    if (time_ps >= timeline->next_sample_ps) {
        take_samples(timeline, time_ps);
    }
}

static void end(struct timeline *timeline, uint64_t time_ps)
{
    take_samples(timeline, time_ps);
    timeline->shared->end_ps = time_ps;
}

/* A wavefront's record: `a` and `b` by its kind. */
static void record_wave(struct timeline *timeline, const struct obs_event *event,
                        enum sl_trace_kind kind, uint64_t a, uint64_t b)
{
    record_event(timeline, (struct sl_trace_record){
                               .time_ps = event->time_ps,
                               .kind = (uint16_t)kind,
                               .cu = event->wave.cu,
                               .id = event->wave.context,
                               .a = a,
                               .b = b,
                           });
}

static void timeline_event(struct observer *observer, const struct obs_event *event)
{
    struct timeline *timeline = (struct timeline *)observer;

    switch (event->kind) {
    case OBS_BEGIN:
        begin(timeline);
        break;
    case OBS_END:
        end(timeline, event->time_ps);
        break;
    case OBS_GRAPH:
        set_graph(timeline, event->address);
        break;
    case OBS_PHASE:
        enter_phase(timeline, event->time_ps, event->phase);
        break;
    case OBS_LAUNCH:
        note_launch(timeline, event);
        record_wave(timeline, event, SL_TRACE_LAUNCH, event->life.lanes, event->wave.kernel);
        break;
    case OBS_RESTART:
        record_wave(timeline, event, SL_TRACE_RESTART, event->life.lanes, event->wave.kernel);
        break;
    case OBS_YIELD:
        record_wave(timeline, event, SL_TRACE_YIELD, event->yield.resource, event->yield.demand);
        break;
    default:
        record_wave(timeline, event, SL_TRACE_END, 0, 0);
        break;
    }
}

static void timeline_destroy(struct observer *observer)
{
    free(observer);
}

int obs_timeline_create(const struct observer_parts *parts, struct observer **observer)
{
    static const struct observer_ops ops = {
        .name = "timeline",
        .wants = 1u << OBS_BEGIN | 1u << OBS_END | 1u << OBS_GRAPH | 1u << OBS_PHASE |
                 1u << OBS_LAUNCH | 1u << OBS_RESTART | 1u << OBS_YIELD | 1u << OBS_LEAVE,
        .event = timeline_event,
        .destroy = timeline_destroy,
    };

    if (parts->timeline == NULL) {
        return 0;
    }
    struct timeline *timeline = calloc(1, sizeof(*timeline));
    if (timeline == NULL) {
        return -1;
    }
    timeline->base.ops = &ops;
    timeline->shared = parts->timeline;
    timeline->dram = *parts->dram;
    timeline->memory = &parts->mem->counters;
    timeline->interval_ps = (uint64_t)parts->config->number[SL_CFG_TIMELINE_INTERVAL];
    *observer = &timeline->base;
    return 0;
}
