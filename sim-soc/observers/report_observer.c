/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a report shows over time and by kernel, as sums in bins (observers/time_bins.h), of all runs
 * behind each other.
 *
 * Phases and resident wavefronts are integrated as they change, exactly. What others count is
 * looked at several times in a bin: what has come since the look before is spread evenly over the
 * time in between, so that sums are exact, and places to a part of a bin. Channels are looked at
 * then, too: what a look finds stands for the time since the one before. The core's cycle stack by
 * phase, and of the time without a wavefront, is exact but for the instruction during which that
 * begins or ends.
 * Nothing here changes what is simulated. */
#include "observers/report_observer.h"

#include <stdlib.h>
#include <string.h>

#include "observers/graph_lookup.h"
#include "sluice/config.h"

static void begin(struct report *report)
{
    struct sl_report *shared = report->shared;

    report->begin_ps = shared->end_ps;
    report->look_ps = 0;
    report->base.tick_ps = shared->bin_ps / REPORT_LOOKS_PER_BIN;
    report->phase = SL_PHASE_OTHER;
    report->phase_ps = 0;
    report->divided = (struct activity){0};
    memset(report->counted, 0, sizeof(report->counted));
    report->dram_ps = 0;
    memset(report->cus, 0, sizeof(report->cus));
    report->resident = 0;
    memset(report->counted_stack, 0, sizeof(report->counted_stack));
    report->stack = (struct sl_report_stack){0};
    report->channels = NULL;
    report->channel_count = 0;
    shared->run_channels = 0;
    shared->kernel_count = 0;
}

/* Elements that were dispatched before the run are none of its own. */
static void set_graph(struct report *report, uint64_t address)
{
    uint32_t count = 0;

    report->channels = graph_channels(&report->dram, address, &count);
    report->channel_count = report->channels != NULL ? count : 0;
    for (uint32_t i = 0; i < report->channel_count; i++) {
        const uint64_t before = report->channels[i].control_head;
        report->passages[i] = (struct report_passage){before, before};
    }
    report->shared->run_channels = report->channel_count;
    if (report->shared->channels < report->channel_count) {
        report->shared->channels = report->channel_count;
    }
}

static void enter_phase(struct report *report, uint64_t time_ps, uint64_t phase)
{
    if (phase != report->phase) {
        report_count_stack(report);
        report_hold(report, SL_REPORT_PHASE + (uint32_t)report->phase, 1, report->phase_ps,
                    time_ps);
        report->phase = phase;
        report->phase_ps = time_ps;
    }
}

/* Wavefronts that are there are those of a run that has ended early. */
static void clear_cu(struct report *report, uint32_t cu, uint64_t time_ps)
{
    struct report_context *contexts = report->cus[cu].contexts;

    report_set_resident(report, cu, time_ps, 0);
    for (uint32_t i = 0; i < REPORT_CONTEXTS; i++) {
        if (contexts[i].is_held) {
            report_let_go(report, &contexts[i], time_ps);
        }
    }
}

/* The run's stack is one that has ended. */
static void keep_stack(struct report *report)
{
    struct sl_report_stack *shared = &report->shared->stack;

    report_count_stack(report);
    for (unsigned phase = 0; phase < SL_PHASE_COUNT; phase++) {
        for (unsigned i = 0; i < SL_STACK_CLASSES; i++) {
            shared->all[phase][i] += report->stack.all[phase][i];
            shared->blocked[phase][i] += report->stack.blocked[phase][i];
        }
    }
}

static void end(struct report *report, uint64_t time_ps)
{
    struct sl_report *shared = report->shared;

    keep_stack(report);
    report_look(report, time_ps);
    for (uint32_t i = REPORT_FIRST_OF_DRAM; i < SL_REPORT_RESIDENT; i++) {
        bins_end(shared, i, report->begin_ps + time_ps);
    }
    enter_phase(report, time_ps, SL_PHASE_COUNT);
    for (uint32_t cu = 0; cu < shared->cus; cu++) {
        clear_cu(report, cu, time_ps);
    }
    shared->run_ps = time_ps;
    shared->end_ps = report->begin_ps + time_ps;
}

static void report_event(struct observer *observer, const struct obs_event *event)
{
    struct report *report = (struct report *)observer;

    switch (event->kind) {
    case OBS_BEGIN:
        begin(report);
        break;
    case OBS_END:
        end(report, event->time_ps);
        break;
    case OBS_GRAPH:
        set_graph(report, event->address);
        break;
    case OBS_PHASE:
        enter_phase(report, event->time_ps, event->phase);
        break;
    case OBS_TICK:
        report_look(report, event->time_ps);
        break;
    case OBS_LAUNCH:
    case OBS_RESTART:
        report_enter(report, event);
        break;
    case OBS_YIELD:
        report_yield(report, event);
        break;
    default:
        report_leave(report, event);
        break;
    }
}

static void report_destroy(struct observer *observer)
{
    free(observer);
}

int obs_report_create(const struct observer_parts *parts, struct observer **observer)
{
    static const struct observer_ops ops = {
        .name = "report",
        .wants = 1u << OBS_BEGIN | 1u << OBS_END | 1u << OBS_GRAPH | 1u << OBS_PHASE |
                 1u << OBS_TICK | 1u << OBS_LAUNCH | 1u << OBS_RESTART | 1u << OBS_YIELD |
                 1u << OBS_LEAVE,
        .event = report_event,
        .destroy = report_destroy,
    };

    if (parts->report == NULL) {
        return 0;
    }
    struct report *report = calloc(1, sizeof(*report));
    if (report == NULL) {
        return -1;
    }
    report->base.ops = &ops;
    report->shared = parts->report;
    report->dram = *parts->dram;
    report->memory = &parts->mem->counters;
    report->activity = parts->activity;
    report->core = parts->core;
    report->cycle_ps = sl_config_period_ps(parts->config, SL_CFG_GPU_CLOCK);
    bins_init(report->shared, (uint64_t)parts->config->number[SL_CFG_GPU_CUS]);
    *observer = &report->base;
    return 0;
}
