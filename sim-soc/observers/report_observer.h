/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The state of a report, between what looks at counters (report_sampling.c), what follows
 * wavefronts (report_waves.c) and what divides it into runs (report_observer.c). */
#ifndef SLUICE_OBSERVERS_REPORT_OBSERVER_H
#define SLUICE_OBSERVERS_REPORT_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "aggregator/core.h"
#include "events/activity.h"
#include "mem/mem_counters.h"
#include "observers/observers.h"
#include "observers/time_bins.h"
#include "sluice/layouts.h"

#define REPORT_LOOKS_PER_BIN 4u
#define REPORT_CONTEXTS      64u /* most of a compute unit */

/* Series that are looked at, each a sum since the run's begin. */
#define REPORT_FIRST_COUNTER SL_REPORT_L1D_ACCESSES
#define REPORT_FIRST_OF_DRAM SL_REPORT_DRAM_READS
#define REPORT_COUNTERS      (SL_REPORT_RESIDENT - REPORT_FIRST_COUNTER)

/* The wavefront that holds a context. */
struct report_context {
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
    const struct agg_core *core;
    uint64_t cycle_ps;
    uint64_t begin_ps; /* of the run, in the time of all */
    uint64_t look_ps;  /* in the run's, as all below */
    uint64_t phase;
    uint64_t phase_ps;
    struct activity divided; /* as it was at the last look */
    uint64_t counted[REPORT_COUNTERS];
    uint64_t dram_ps;                  /* DRAM has work up to here, as far as is known */
    const struct sl_channel *channels; /* of the graph, where one runs */
    uint32_t channel_count;
    struct report_passage { /* elements, as the channel's own counters count */
        uint64_t launched;  /* the firmware's count of these is not in memory */
        uint64_t ended;
    } passages[SL_GRAPH_CHANNELS];
    uint64_t resident;      /* wavefronts on all compute units */
    struct report_counted { /* of the core's counters, in `stack` */
        uint64_t cycles;
        uint64_t phase; /* that got the last ones */
        bool is_blocked;
    } counted_stack[SL_STACK_CLASSES];
    struct sl_report_stack stack;
    struct report_cu {
        uint64_t resident;
        uint64_t since_ps;
        struct report_context contexts[REPORT_CONTEXTS];
    } cus[SL_REPORT_CUS];
};

/* As bins_hold() and bins_spread(), in the run's time. */
static inline void report_hold(struct report *report, uint32_t series, uint64_t value,
                               uint64_t from_ps, uint64_t to_ps)
{
    bins_hold(report->shared, series, value, report->begin_ps + from_ps, report->begin_ps + to_ps);
}

static inline void report_spread(struct report *report, uint32_t series, uint64_t amount,
                                 uint64_t from_ps, uint64_t to_ps)
{
    bins_spread(report->shared, series, amount, report->begin_ps + from_ps,
                report->begin_ps + to_ps);
}

/* Looks at counters and channels, and says when to look again. */
void report_look(struct report *report, uint64_t time_ps);

/* A wavefront takes a context, yields, gives it up. */
void report_enter(struct report *report, const struct obs_event *event);
void report_yield(struct report *report, const struct obs_event *event);
void report_leave(struct report *report, const struct obs_event *event);

/* The context is free: the wavefront's time with it is its kernel's. */
void report_let_go(struct report *report, struct report_context *context, uint64_t time_ps);

/* A phase ends, or time with or without a wavefront: the core's cycles of it are known. */
void report_count_stack(struct report *report);

/* How many wavefronts a compute unit has from now on. */
void report_set_resident(struct report *report, uint32_t cu, uint64_t time_ps, uint64_t resident);

#endif
