/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The trace of instructions: a record for each one that the host wants to see, when it issues, and
 * where the host wants to, what it writes to its register. The host makes text of them. Nothing
 * here changes what is simulated. */
#include <stdlib.h>
#include <string.h>

#include "aggregator/core_insn.h"
#include "observers/observers.h"
#include "observers/trace/filter.h"
#include "simt/lanes/lanes.h"

struct trace {
    struct observer base;
    struct observer_ops ops;
    struct trace_filter filter;
    struct ring_writer ring;
    uint64_t lines;    /* written, in all runs */
    uint64_t left_out; /* in this run, for want of lines */
};

/* Room for a record with so many values behind it, or NULL. */
static struct sl_traced_record *take(struct trace *trace, enum sl_traced_kind kind, uint32_t values)
{
    return (void *)ring_take(&trace->ring, SL_TRACED_WORDS + values,
                             (struct sl_ring_record){.kind = (uint8_t)kind});
}

/* Fills in what follows the first word's beginning, which is there. */
static void put(struct trace *trace, struct sl_traced_record *to, struct sl_traced_record record)
{
    record.words = to->words;
    record.kind = to->kind;
    *to = record;
    ring_put(&trace->ring);
}

/* Whether there may be one more line. */
static bool count_line(struct trace *trace)
{
    if (trace->lines == trace->filter.wanted->lines) {
        trace->left_out++;
        return false;
    }
    trace->lines++;
    return true;
}

static void record_mark(struct trace *trace, const struct obs_event *event,
                        enum sl_traced_kind kind)
{
    struct sl_traced_record *to = take(trace, kind, 0);

    if (to != NULL) {
        put(trace, to,
            (struct sl_traced_record){.time_ps = event->time_ps, .wave = trace->left_out});
        ring_flush(&trace->ring);
    }
}

static void record_firmware(struct trace *trace, const struct obs_event *event)
{
    if (!trace_filter_firmware(&trace->filter, event->time_ps, event->insn->pc) ||
        !count_line(trace)) {
        return;
    }
    struct sl_traced_record *to = take(trace, SL_TRACED_FIRMWARE, 0);
    if (to != NULL) {
        put(trace, to, (struct sl_traced_record){.time_ps = event->time_ps, .pc = event->insn->pc});
    }
}

/* What a record of a wavefront's instruction begins with. */
static struct sl_traced_record of_wave(const struct trace *trace, const struct obs_event *event)
{
    return (struct sl_traced_record){
        .context = (uint8_t)event->wave.context,
        .time_ps = event->time_ps,
        .entry = trace->filter.entry,
        .wave = event->wave.number,
        .cu = event->wave.cu,
    };
}

static void record_issue(struct trace *trace, const struct obs_event *event)
{
    if (!trace_filter_wave(&trace->filter, &event->wave, event->time_ps, event->issue.pc) ||
        !count_line(trace)) {
        return;
    }
    struct sl_traced_record *to = take(trace, SL_TRACED_ISSUE, 0);
    if (to != NULL) {
        struct sl_traced_record record = of_wave(trace, event);
        record.word = event->issue.word;
        record.pc = event->issue.pc;
        record.lanes = event->issue.lanes;
        put(trace, to, record);
    }
}

/* Puts the values of lanes behind a record, in their order; one alone where all have the same.
 * Returns how many. */
static uint32_t gather(uint64_t *values, const struct obs_result *result)
{
    uint32_t count = 0;
    uint64_t differences = 0;

    FOR_EACH_LANE(lane, result->lanes)
    {
        values[count++] = result->value[lane];
        differences |= result->value[lane] ^ values[0];
    }
    return differences == 0 && count > 0 ? 1 : count;
}

/* One that is late is a line of its own. */
static void record_result(struct trace *trace, const struct obs_event *event)
{
    const struct obs_result *result = &event->result;
    uint64_t values[LANES];

    if (!trace_filter_wave(&trace->filter, &event->wave, event->time_ps, result->pc)) {
        return;
    }
    if (result->is_late ? !count_line(trace) : trace->left_out > 0) {
        return;
    }
    const uint32_t count = gather(values, result);
    struct sl_traced_record *to =
        take(trace, result->is_late ? SL_TRACED_LATE : SL_TRACED_RESULT, count);
    if (to != NULL) {
        struct sl_traced_record record = of_wave(trace, event);
        record.word = result->word;
        record.pc = result->pc;
        record.lanes = result->lanes;
        record.rd = result->rd;
        memcpy(to + 1, values, count * sizeof(*values));
        put(trace, to, record);
    }
}

static void trace_event(struct observer *observer, const struct obs_event *event)
{
    struct trace *trace = (struct trace *)observer;

    switch (event->kind) {
    case OBS_BEGIN:
        trace->left_out = 0;
        trace_filter_begin(&trace->filter);
        record_mark(trace, event, SL_TRACED_BEGIN);
        break;
    case OBS_END:
        record_mark(trace, event, SL_TRACED_END);
        break;
    case OBS_EXECUTE:
        record_firmware(trace, event);
        break;
    case OBS_ISSUE:
        record_issue(trace, event);
        break;
    default:
        record_result(trace, event);
        break;
    }
}

static void trace_destroy(struct observer *observer)
{
    free(observer);
}

/* Being told costs time: of what is wanted alone. */
static uint32_t wants(const struct sl_traced *wanted)
{
    const uint32_t firmware = wanted->firmware != 0 ? 1u << OBS_EXECUTE : 0;
    const uint32_t waves = wanted->waves != 0 ? 1u << OBS_ISSUE : 0;
    const uint32_t results = waves != 0 && wanted->results != 0 ? 1u << OBS_RESULT : 0;

    return 1u << OBS_BEGIN | 1u << OBS_END | firmware | waves | results;
}

int obs_trace_create(const struct observer_parts *parts, struct observer **observer)
{
    if (parts->instructions == NULL) {
        return 0;
    }
    struct trace *trace = calloc(1, sizeof(*trace));
    if (trace == NULL) {
        return -1;
    }
    const struct sl_traced *wanted = &parts->instructions->wanted;
    trace->ops = (struct observer_ops){
        .name = "trace",
        .wants = wants(wanted),
        .event = trace_event,
        .destroy = trace_destroy,
    };
    trace->base.ops = &trace->ops;
    trace->filter = (struct trace_filter){.wanted = wanted, .dram = *parts->dram};
    ring_open(&trace->ring, &parts->instructions->ring, parts->ring_host);
    *observer = &trace->base;
    return 0;
}
