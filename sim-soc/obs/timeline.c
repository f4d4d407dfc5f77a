/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Phases, and samples of channels and memory (timeline.h). */
#include "obs/timeline.h"

#include <stdlib.h>
#include <string.h>

struct timeline *timeline_create(struct sl_timeline *shared, const struct sl_config *config,
                                 const struct dram *dram, const struct mem_counters *memory)
{
    struct timeline *timeline = calloc(1, sizeof(*timeline));

    if (timeline != NULL) {
        timeline->shared = shared;
        timeline->dram = *dram;
        timeline->memory = memory;
        timeline->interval_ps = (uint64_t)config->number[SL_CFG_TIMELINE_INTERVAL];
    }
    return timeline;
}

void timeline_destroy(struct timeline *timeline)
{
    free(timeline);
}

void timeline_begin(struct timeline *timeline)
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
    timeline->graph = 0;
    timeline->channels = 0;
    timeline_record(timeline,
                    (struct sl_trace_record){.kind = SL_TRACE_PHASE, .a = SL_PHASE_OTHER});
}

void timeline_graph(struct timeline *timeline, uint64_t address)
{
    timeline->graph = 0;
    timeline->channels = 0;
    memset(timeline->last, 0, sizeof(timeline->last));
    if (address % 8 == 0 && dram_holds(&timeline->dram, address, sizeof(struct sl_graph))) {
        const struct sl_graph *graph = dram_at(&timeline->dram, address);
        uint64_t count = graph->channel_count;
        if (count <= SL_GRAPH_CHANNELS &&
            dram_holds(&timeline->dram, address + sizeof(struct sl_graph),
                       count * sizeof(struct sl_channel))) {
            timeline->graph = address;
            timeline->channels = count;
        }
    }
}

static void sample_channels(struct timeline *timeline, uint64_t time_ps)
{
    const struct sl_channel *channels =
        timeline->channels == 0
            ? NULL
            : dram_at(&timeline->dram, timeline->graph + sizeof(struct sl_graph));

    for (uint32_t i = 0; i < timeline->channels; i++) {
        const struct sl_channel *channel = &channels[i];
        struct timeline_channel now = {
            .held = channel->data_tail - channel->data_head,
            .ready = channel->control_tail - channel->control_head,
        };
        if (now.held != timeline->last[i].held || now.ready != timeline->last[i].ready) {
            timeline->last[i] = now;
            timeline_record(timeline, (struct sl_trace_record){.time_ps = time_ps,
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
        timeline_record(timeline,
                        (struct sl_trace_record){.time_ps = time_ps,
                                                 .kind = SL_TRACE_DRAM,
                                                 .a = moved * SL_CACHE_LINE_BYTES,
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

void timeline_phase(struct timeline *timeline, uint64_t time_ps, uint64_t phase)
{
    if (phase != timeline->phase) {
        timeline->phase = phase;
        timeline_record(timeline, (struct sl_trace_record){
                                      .time_ps = time_ps, .kind = SL_TRACE_PHASE, .a = phase});
    }
    if (time_ps >= timeline->next_sample_ps) {
        take_samples(timeline, time_ps);
    }
}

void timeline_end(struct timeline *timeline, uint64_t time_ps)
{
    take_samples(timeline, time_ps);
    timeline->shared->end_ps = time_ps;
}
