/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the simulator leaves for the host to tell of how long the elements of channels take
 * (latency.measure, report.file; docs/do/profile.md, "Latencies"). Times are in ps. A file in
 * memory of which only what is counted takes room. */
#ifndef SLUICE_RECORDINGS_CHANNEL_LATENCY_H
#define SLUICE_RECORDINGS_CHANNEL_LATENCY_H

#include <stdint.h>

#include "recordings/histogram.h"
#include "sluice/limits.h"

/* Of elements: the states of enum sl_report_state (recordings/observation.h) that they pass
 * through. */
struct sl_element_latency {
    struct sl_histogram ready;      /* from the publication to the launch of the wavefront */
    struct sl_histogram dispatched; /* from there to the wavefront's end */
};

/* By the channels' numbers; added up until the host clears it. */
struct sl_channel_latency {
    uint64_t count; /* channels from here on have none */
    struct sl_element_latency of[SL_GRAPH_CHANNELS];
};

static inline void sl_element_latency_add(struct sl_element_latency *sum,
                                          const struct sl_element_latency *more)
{
    sl_histogram_merge(&sum->ready, &more->ready);
    sl_histogram_merge(&sum->dispatched, &more->dispatched);
}

static inline void sl_channel_latency_clear(struct sl_channel_latency *latency)
{
    for (uint64_t i = 0; i < latency->count; i++) {
        sl_histogram_clear(&latency->of[i].ready);
        sl_histogram_clear(&latency->of[i].dispatched);
    }
    latency->count = 0;
}

#endif
