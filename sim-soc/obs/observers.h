/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Making the observers that a machine is to have. */
#ifndef SLUICE_OBS_OBSERVERS_H
#define SLUICE_OBS_OBSERVERS_H

#include "agg/core.h"
#include "mem/mem.h"
#include "obs/histogram.h"
#include "obs/races/races.h"
#include "obs/stream/activity.h"
#include "obs/stream/events.h"
#include "observed/kernel_profile.h"
#include "observed/observation.h"
#include "observed/races.h"
#include "observed/sharing.h"
#include "sluice/config.h"

/* What they may look at, and where they write. */
struct observer_parts {
    const struct sl_config *config;
    const struct sl_layout *layout;
    const struct dram *dram;
    const struct agg_core *core;
    struct mem_system *mem;
    const struct activity *activity;
    uint64_t *tick_ps; /* OBS_TICK is told at this time of the run; who wants it sets the next one
                          then and in OBS_BEGIN, which finds that there is none. One observer can */
    struct histogram *latency;         /* of channel elements, for the statistics */
    struct histogram *request;         /* of those that the host put in while the graph ran */
    struct sl_profile *profile;        /* observed/observation.h; NULL: no profile is wanted */
    struct sl_timeline *timeline;      /* likewise */
    struct sl_report *report;          /* likewise */
    struct sl_races *races;            /* likewise, of observed/races.h */
    struct sl_sharing *sharing;        /* likewise, of observed/sharing.h */
    struct sl_kernel_profile *kernels; /* likewise, of observed/kernel_profile.h */
    const struct race_counters **race_counters; /* of races, for the statistics: set by whoever
                                                   counts them */
};

/* Each puts an observer into *observer, or leaves it NULL where it is not wanted. Returns 0, or -1
 * when out of memory. */
#define SL_OBSERVER(name)                                                                          \
    int obs_##name##_create(const struct observer_parts *parts, struct observer **observer);
#include "obs/observers.def"
#undef SL_OBSERVER

/* Makes all that are wanted and subscribes them. Returns 0, or -1 when out of memory. */
int observers_create(const struct observer_parts *parts, struct stream *stream);
void observers_destroy(struct stream *stream);

#endif
