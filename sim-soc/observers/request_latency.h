/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Requests, for observer latency (latency.c): elements that the host puts into an open graph, while
 * they are with a wavefront, through its yields, up to its end. */
#ifndef SLUICE_OBSERVERS_REQUEST_LATENCY_H
#define SLUICE_OBSERVERS_REQUEST_LATENCY_H

#include "observers/observers.h"
#include "sluice/limits.h"

/* A wavefront, with the times that the host named for its requests. */
struct request_wave {
    uint64_t number;
    uint32_t count;  /* of requests */
    bool is_leaving; /* it yields */
    uint64_t time_ps[SL_LANES_MAX];
};

struct requests {
    struct sl_histogram *figures;
    uint32_t contexts;          /* of a compute unit */
    struct request_wave *waves; /* by compute unit and context: the last one that had it */
    struct request_wave *away;  /* those with requests that have yielded, as many as */
    uint32_t away_count;
};

/* Returns 0, or -1 when out of memory. */
int requests_init(struct requests *requests, const struct observer_parts *parts);
void requests_destroy(struct requests *requests);

/* A run begins. */
void requests_begin(struct requests *requests);

/* A wavefront takes a context (OBS_LAUNCH): it has no requests yet. One for each of its lanes may
 * be added. */
struct request_wave *requests_launched(struct requests *requests, const struct obs_event *event);

static inline void requests_add(struct request_wave *wave, uint64_t time_ps)
{
    wave->time_ps[wave->count++] = time_ps;
}

/* What becomes of wavefronts after that. */
#define REQUESTS_EVENTS (1u << OBS_RESTART | 1u << OBS_YIELD | 1u << OBS_LEAVE)
void requests_event(struct requests *requests, const struct obs_event *event);

#endif
