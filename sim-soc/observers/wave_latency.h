/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Requests, for observer latency (latency.c): elements that the host puts into an open graph, while
 * they are with a wavefront, through its yields, up to its end. */
#ifndef SLUICE_OBSERVERS_WAVE_LATENCY_H
#define SLUICE_OBSERVERS_WAVE_LATENCY_H

#include "observers/observers.h"
#include "sluice/limits.h"

/* A wavefront, with the times that the host named for its waves. */
struct wave_times {
    uint64_t number;
    uint32_t count;  /* of requests */
    bool is_leaving; /* it yields */
    uint64_t time_ps[SL_LANES_MAX];
};

struct wave_latency {
    struct sl_histogram *figures;
    uint32_t contexts;        /* of a compute unit */
    struct wave_times *waves; /* by compute unit and context: the last one that had it */
    struct wave_times *away;  /* those with requests that have yielded, as many as */
    uint32_t away_count;
};

/* Returns 0, or -1 when out of memory. */
int wave_latency_init(struct wave_latency *waves, const struct observer_parts *parts);
void wave_latency_destroy(struct wave_latency *waves);

/* A run begins. */
void wave_latency_begin(struct wave_latency *waves);

/* A wavefront takes a context (OBS_LAUNCH): it has no requests yet. One for each of its lanes may
 * be added. */
struct wave_times *wave_latency_launched(struct wave_latency *waves, const struct obs_event *event);

static inline void wave_latency_add(struct wave_times *wave, uint64_t time_ps)
{
    wave->time_ps[wave->count++] = time_ps;
}

/* What becomes of wavefronts after that. */
#define WAVE_LATENCY_EVENTS (1u << OBS_RESTART | 1u << OBS_YIELD | 1u << OBS_LEAVE)
void wave_latency_event(struct wave_latency *waves, const struct obs_event *event);

#endif
