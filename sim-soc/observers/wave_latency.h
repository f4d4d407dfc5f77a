/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Elements while they are with a wavefront, through its yields, up to its end, for observer latency
 * (latency.c): how long they are, and since when those are due that are requests. */
#ifndef SLUICE_OBSERVERS_WAVE_LATENCY_H
#define SLUICE_OBSERVERS_WAVE_LATENCY_H

#include "observers/observers.h"
#include "recordings/channel_latency.h"
#include "sluice/limits.h"

/* Where latencies are counted; NULL: not wanted. */
struct latency_figures {
    struct sl_element_latency *all;
    struct sl_channel_latency *channels;
    struct sl_histogram *request;
};

struct wave_times {
    uint64_t number;
    uint64_t launched_ps;
    uint32_t channel;
    uint32_t elements; /* that are measured */
    uint32_t requests;
    bool is_leaving;               /* it yields */
    uint64_t due_ps[SL_LANES_MAX]; /* of requests: what the host named */
};

struct wave_latency {
    struct latency_figures figures;
    uint32_t contexts;        /* of a compute unit */
    struct wave_times *waves; /* by compute unit and context: the last one that had it */
    struct wave_times *away;  /* those with elements that have yielded, as many as */
    uint64_t *away_numbers;   /* theirs, to be searched */
    uint32_t away_count;
};

/* Returns 0, or -1 when out of memory. */
int wave_latency_init(struct wave_latency *waves, const struct observer_parts *parts,
                      const struct latency_figures *figures);
void wave_latency_destroy(struct wave_latency *waves);

/* A run begins. */
void wave_latency_begin(struct wave_latency *waves);

/* A wavefront takes a context (OBS_LAUNCH): it has no elements yet. One for each of its lanes may
 * be added. */
struct wave_times *wave_latency_launched(struct wave_latency *waves, const struct obs_event *event);

/* What becomes of wavefronts after that. */
#define WAVE_LATENCY_EVENTS (1u << OBS_RESTART | 1u << OBS_YIELD | 1u << OBS_LEAVE)
void wave_latency_event(struct wave_latency *waves, const struct obs_event *event);

#endif
