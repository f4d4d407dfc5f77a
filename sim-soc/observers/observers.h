/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Making the observers that a machine is to have. */
#ifndef SLUICE_OBSERVERS_H
#define SLUICE_OBSERVERS_H

#include "aggregator/core.h"
#include "events/activity.h"
#include "events/events.h"
#include "mem/mem.h"
#include "observers/races/races.h"
#include "observers/ring/ring.h"
#include "recordings/channel_latency.h"
#include "recordings/instructions.h"
#include "recordings/kernel_profile.h"
#include "recordings/observation.h"
#include "recordings/races.h"
#include "recordings/samples.h"
#include "recordings/sharing.h"

struct sl_config;
struct sl_layout;

/* The statistics as they would be if the run ended at this time, which it has come to:
 * SL_STAT_COUNT of them. */
struct statistics_reader {
    void *owner;
    void (*read)(void *owner, uint64_t time_ps, uint64_t *statistics);
};

/* What they may look at, and where they write. */
struct observer_parts {
    const struct sl_config *config;
    const struct sl_layout *layout;
    const struct dram *dram;
    const struct agg_core *core;
    struct mem_system *mem;
    const struct activity *activity;
    struct sl_element_latency *latency;   /* of all channels, for the statistics */
    struct sl_histogram *request;         /* of those that the host put in while the graph ran */
    struct sl_profile *profile;           /* recordings/observation.h; NULL: no profile is wanted */
    struct sl_timeline *timeline;         /* likewise */
    struct sl_report *report;             /* likewise */
    struct sl_races *races;               /* likewise, of recordings/races.h */
    struct sl_sharing *sharing;           /* likewise, of recordings/sharing.h */
    struct sl_kernel_profile *kernels;    /* likewise, of recordings/kernel_profile.h */
    struct sl_instructions *instructions; /* likewise, of recordings/instructions.h */
    struct sl_samples *samples;           /* likewise, of recordings/samples.h */
    struct sl_channel_latency *channels;  /* likewise, of recordings/channel_latency.h */
    const struct ring_host *ring_host;    /* who reads the rings in them */
    struct statistics_reader meter;
    const struct race_counters **race_counters; /* of races, for the statistics: set by whoever
                                                   counts them */
};

/* Each puts an observer into *observer, or leaves it NULL where it is not wanted. Returns 0, or -1
 * when out of memory. */
#define SL_OBSERVER(name)                                                                          \
    int obs_##name##_create(const struct observer_parts *parts, struct observer **observer);
#include "observers/observers.def"
#undef SL_OBSERVER

#endif
