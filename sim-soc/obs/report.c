/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a report shows over time and by kernel, as sums in bins (obs/bins.h), of all runs behind
 * each other.
 *
 * Phases and resident wavefronts are integrated as they change, exactly. What others count is
 * looked at several times in a bin: what has come since the look before is spread evenly over the
 * time in between, so that sums are exact, and places to a part of a bin. Channels are looked at
 * then, too: what a look finds stands for the time since the one before. Nothing here changes what
 * is simulated. */
#include <stdlib.h>
#include <string.h>

#include "obs/bins.h"
#include "obs/graph.h"
#include "obs/observers.h"
#include "sluice/layouts.h"
#include "time/later.h"

#define LOOKS_PER_BIN 4u
#define CONTEXTS      64u /* most of a compute unit */

/* Series that are looked at, each a sum since the run's begin. */
#define FIRST_COUNTER SL_REPORT_L1D_ACCESSES
#define FIRST_OF_DRAM SL_REPORT_DRAM_READS
#define COUNTERS      (SL_REPORT_RESIDENT - FIRST_COUNTER)

/* The wavefront that holds a context. */
struct context {
    uint32_t kernel; /* in the shared block; SL_REPORT_KERNELS: found no room */
    uint32_t channel;
    uint32_t lanes;
    bool is_held;
    bool has_yielded;
    uint64_t since_ps;
};

struct report {
    struct observer base;
    struct sl_report *shared;
    struct dram dram;
    const struct mem_counters *memory;
    const struct activity *activity;
    uint64_t *tick_ps; /* the next look */
    uint64_t cycle_ps;
    uint64_t begin_ps; /* of the run, in the time of all */
    uint64_t look_ps;  /* in the run's, as all below */
    uint64_t phase;
    uint64_t phase_ps;
    struct activity divided; /* as it was at the last look */
    uint64_t counted[COUNTERS];
    uint64_t dram_ps;                  /* DRAM has work up to here, as far as is known */
    const struct sl_channel *channels; /* of the graph, where one runs */
    uint32_t channel_count;
    struct passage {       /* elements, as the channel's own counters count */
        uint64_t launched; /* the firmware's count of these is not in memory */
        uint64_t ended;
    } passages[SL_GRAPH_CHANNELS];
    struct compute_unit {
        uint64_t resident;
        uint64_t since_ps;
        struct context contexts[CONTEXTS];
    } cus[SL_REPORT_CUS];
};

static void hold(struct report *report, uint32_t series, uint64_t value, uint64_t from_ps,
                 uint64_t to_ps)
{
    bins_hold(report->shared, series, value, report->begin_ps + from_ps, report->begin_ps + to_ps);
}

static void spread(struct report *report, uint32_t series, uint64_t amount, uint64_t from_ps,
                   uint64_t to_ps)
{
    bins_spread(report->shared, series, amount, report->begin_ps + from_ps,
                report->begin_ps + to_ps);
}

/* ---- looks ---- */

static void count_all(const struct report *report, uint64_t *counters)
{
    const struct mem_counters *memory = report->memory;
    const uint64_t values[] = {
        [SL_REPORT_L1D_ACCESSES - FIRST_COUNTER] = memory->l1[L1D].accesses,
        [SL_REPORT_L1D_HITS - FIRST_COUNTER] = memory->l1[L1D].served[SERVED_L1],
        [SL_REPORT_AGG_L1D_ACCESSES - FIRST_COUNTER] = memory->l1[AGG_L1D].accesses,
        [SL_REPORT_AGG_L1D_HITS - FIRST_COUNTER] = memory->l1[AGG_L1D].served[SERVED_L1],
        [SL_REPORT_L2_ACCESSES - FIRST_COUNTER] = memory->l2.accesses,
        [SL_REPORT_L2_HITS - FIRST_COUNTER] = memory->l2.hits,
        [SL_REPORT_DRAM_READS - FIRST_COUNTER] = memory->dram_reads,
        [SL_REPORT_DRAM_WRITES - FIRST_COUNTER] = memory->dram_writes,
        [SL_REPORT_DRAM_BUSY - FIRST_COUNTER] = memory->dram_busy_ps,
    };

    _Static_assert(sizeof(values) == COUNTERS * sizeof(*counters), "all of them");
    memcpy(counters, values, sizeof(values));
}

struct span {
    uint64_t from_ps;
    uint64_t to_ps;
};

/* When DRAM transfers what has come up since the look before. It is counted when it is asked for:
 * where that is more than fits the time since then, it queues behind what is there. */
static struct span transfers(struct report *report, uint64_t busy_ps, uint64_t time_ps)
{
    const uint32_t channels = report->memory->dram_channels;
    const uint64_t from_ps = later(report->look_ps, report->dram_ps);
    const uint64_t queued_ps = from_ps + (channels > 0 ? busy_ps / channels : 0);
    const uint64_t to_ps = later(queued_ps, time_ps);

    if (to_ps > time_ps) {
        report->dram_ps = to_ps;
    }
    return (struct span){from_ps, to_ps};
}

static void look_at_counters(struct report *report, uint64_t time_ps)
{
    uint64_t now[COUNTERS];

    count_all(report, now);
    const struct span dram = transfers(report,
                                       now[SL_REPORT_DRAM_BUSY - FIRST_COUNTER] -
                                           report->counted[SL_REPORT_DRAM_BUSY - FIRST_COUNTER],
                                       time_ps);
    for (uint32_t i = 0; i < COUNTERS; i++) {
        const bool is_dram = FIRST_COUNTER + i >= FIRST_OF_DRAM;
        spread(report, FIRST_COUNTER + i, now[i] - report->counted[i],
               is_dram ? dram.from_ps : report->look_ps, is_dram ? dram.to_ps : time_ps);
    }
    memcpy(report->counted, now, sizeof(now));
}

/* The split is known up to the cycle that is accounted for. */
static void look_at_activity(struct report *report)
{
    const struct activity *last = &report->divided;
    const struct activity *now = report->activity;
    const uint64_t from_ps = last->accounted_cycle * report->cycle_ps;
    const uint64_t to_ps = now->accounted_cycle * report->cycle_ps;
    const uint64_t cycles[] = {
        now->active_cycles - last->active_cycles,
        now->stalled_cycles - last->stalled_cycles,
        now->blocked_cycles - last->blocked_cycles,
    };

    for (uint32_t i = 0; i < 3; i++) {
        spread(report, SL_REPORT_ACTIVE + i, cycles[i] * report->cycle_ps, from_ps, to_ps);
    }
    report->divided = *now;
}

/* Counters of one channel are not stored at one time. */
static uint64_t between(uint64_t low, uint64_t high)
{
    return high > low ? high - low : 0;
}

static void look_at_channel(struct report *report, uint32_t number,
                            const struct sl_channel *channel, uint64_t time_ps)
{
    const struct passage *passage = &report->passages[number];
    const uint64_t held[SL_REPORT_STATES] = {
        [SL_REPORT_WAITING] = between(channel->control_tail, channel->data_tail),
        [SL_REPORT_READY] = between(passage->launched, channel->control_tail),
        [SL_REPORT_DISPATCHED] = between(passage->ended, passage->launched),
        [SL_REPORT_FINISHED] = between(channel->data_head, passage->ended),
    };
    const uint32_t series = SL_REPORT_CHANNEL + number * SL_REPORT_STATES;

    for (uint32_t i = 0; i < SL_REPORT_STATES; i++) {
        hold(report, series + i, held[i], report->look_ps, time_ps);
    }
}

static void look_at_channels(struct report *report, uint64_t time_ps)
{
    const struct sl_channel *channels = report->channels;

    for (uint32_t i = 0; i < report->channel_count; i++) {
        if (channels[i].data_tail != channels[i].data_head) {
            look_at_channel(report, i, &channels[i], time_ps);
        }
    }
}

static void look(struct report *report, uint64_t time_ps)
{
    look_at_counters(report, time_ps);
    look_at_activity(report);
    look_at_channels(report, time_ps);
    report->look_ps = time_ps;
    *report->tick_ps = time_ps + report->shared->bin_ps / LOOKS_PER_BIN;
}

/* ---- wavefronts ---- */

/* The kernel's place in the shared block, or SL_REPORT_KERNELS. */
static uint32_t find_kernel(struct sl_report *shared, uint64_t kernel)
{
    for (uint32_t i = 0; i < shared->kernel_count; i++) {
        if (shared->kernels[i].kernel == kernel) {
            return i;
        }
    }
    if (shared->kernel_count < SL_REPORT_KERNELS) {
        shared->kernels[shared->kernel_count] = (struct sl_report_kernel){.kernel = kernel};
        return (uint32_t)shared->kernel_count++;
    }
    return SL_REPORT_KERNELS;
}

static struct context *context_of(struct report *report, const struct obs_wave *wave)
{
    return &report->cus[wave->cu].contexts[wave->context];
}

static struct sl_report_kernel *kernel_of(struct report *report, const struct context *context)
{
    return context->kernel < SL_REPORT_KERNELS ? &report->shared->kernels[context->kernel] : NULL;
}

static void set_resident(struct report *report, uint32_t cu, uint64_t time_ps, uint64_t resident)
{
    struct compute_unit *unit = &report->cus[cu];

    hold(report, SL_REPORT_RESIDENT + cu, unit->resident, unit->since_ps, time_ps);
    unit->resident = resident;
    unit->since_ps = time_ps;
}

static void enter(struct report *report, const struct obs_event *event)
{
    const struct obs_wave *wave = &event->wave;
    struct context *context = context_of(report, wave);

    *context = (struct context){
        .kernel = find_kernel(report->shared, wave->kernel),
        .channel = wave->channel,
        .lanes = event->life.lanes,
        .is_held = true,
        .since_ps = event->time_ps,
    };
    struct sl_report_kernel *kernel = kernel_of(report, context);
    if (kernel != NULL && event->kind == OBS_LAUNCH) {
        kernel->wavefronts++;
        kernel->elements += event->life.lanes;
    } else if (kernel != NULL) {
        kernel->restarts++;
    }
    if (event->kind == OBS_LAUNCH && wave->channel < report->channel_count) {
        report->passages[wave->channel].launched += event->life.lanes;
    }
    set_resident(report, wave->cu, event->time_ps, report->cus[wave->cu].resident + 1);
}

static void yield(struct report *report, const struct obs_event *event)
{
    struct context *context = context_of(report, &event->wave);
    struct sl_report_kernel *kernel = kernel_of(report, context);

    context->has_yielded = true;
    if (kernel != NULL) {
        kernel->yields++;
    }
}

/* The context is free: the wavefront's time with it is its kernel's. */
static void let_go(struct report *report, struct context *context, uint64_t time_ps)
{
    struct sl_report_kernel *kernel = kernel_of(report, context);

    context->is_held = false;
    if (kernel != NULL) {
        kernel->resident_ps += time_ps - context->since_ps;
    }
}

static void leave(struct report *report, const struct obs_event *event)
{
    const struct obs_wave *wave = &event->wave;
    struct context *context = context_of(report, wave);

    struct sl_report_kernel *kernel = kernel_of(report, context);
    if (kernel != NULL) {
        kernel->wave_instructions += event->leave.instructions;
        kernel->lane_instructions += event->leave.lane_instructions;
    }
    let_go(report, context, event->time_ps);
    if (!context->has_yielded && context->channel < report->channel_count) {
        report->passages[context->channel].ended += context->lanes;
    }
    set_resident(report, wave->cu, event->time_ps, report->cus[wave->cu].resident - 1);
}

/* ---- runs ---- */

static void begin(struct report *report)
{
    struct sl_report *shared = report->shared;

    report->begin_ps = shared->end_ps;
    report->look_ps = 0;
    *report->tick_ps = shared->bin_ps / LOOKS_PER_BIN;
    report->phase = SL_PHASE_OTHER;
    report->phase_ps = 0;
    report->divided = (struct activity){0};
    memset(report->counted, 0, sizeof(report->counted));
    report->dram_ps = 0;
    memset(report->cus, 0, sizeof(report->cus));
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
        report->passages[i] = (struct passage){before, before};
    }
    report->shared->run_channels = report->channel_count;
    if (report->shared->channels < report->channel_count) {
        report->shared->channels = report->channel_count;
    }
}

static void enter_phase(struct report *report, uint64_t time_ps, uint64_t phase)
{
    if (phase != report->phase) {
        hold(report, SL_REPORT_PHASE + (uint32_t)report->phase, 1, report->phase_ps, time_ps);
        report->phase = phase;
        report->phase_ps = time_ps;
    }
}

/* Wavefronts that are there are those of a run that has ended early. */
static void clear_cu(struct report *report, uint32_t cu, uint64_t time_ps)
{
    struct context *contexts = report->cus[cu].contexts;

    set_resident(report, cu, time_ps, 0);
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        if (contexts[i].is_held) {
            let_go(report, &contexts[i], time_ps);
        }
    }
}

static void end(struct report *report, uint64_t time_ps)
{
    struct sl_report *shared = report->shared;

    look(report, time_ps);
    for (uint32_t i = FIRST_OF_DRAM; i < SL_REPORT_RESIDENT; i++) {
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
        look(report, event->time_ps);
        break;
    case OBS_LAUNCH:
    case OBS_RESTART:
        enter(report, event);
        break;
    case OBS_YIELD:
        yield(report, event);
        break;
    default:
        leave(report, event);
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
    report->tick_ps = parts->tick_ps;
    report->cycle_ps = 1000000000000ull / (uint64_t)parts->config->number[SL_CFG_GPU_CLOCK];
    bins_init(report->shared, (uint64_t)parts->config->number[SL_CFG_GPU_CUS]);
    *observer = &report->base;
    return 0;
}
