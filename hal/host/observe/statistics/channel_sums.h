/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How long the elements of channels take (recordings/channel_latency.h), of several runs together,
 * by the channels' names: the levels of a stack are one, and so are channels of one name. */
#ifndef SLUICE_HOST_OBSERVE_STATISTICS_CHANNEL_SUMS_H
#define SLUICE_HOST_OBSERVE_STATISTICS_CHANNEL_SUMS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "recordings/channel_latency.h"

/* What the channels of a run are called. */
struct sl_channel_names {
    const void *owner;
    void (*channel)(const void *owner, uint64_t channel, char *out, size_t bytes);
};

struct sl_channel_sum {
    char *name;
    struct sl_element_latency latency;
};

/* Zeroed: empty. */
struct sl_channel_sums {
    struct sl_channel_sum **channels; /* in the order in which they came: the first run's numbers */
    size_t count;
};

/* A run has ended: adds what there is of it. Returns 0, or -1 when out of memory. */
int sl_channel_sums_take(struct sl_channel_sums *sums, const struct sl_channel_latency *latency,
                         const struct sl_channel_names *names);

/* Empties them. */
void sl_channel_sums_clear(struct sl_channel_sums *sums);

/* Puts latency.NAME.* into an object of statistics. Returns 0, or -1 when out of memory. */
int sl_channel_sums_put(json_t *object, const struct sl_channel_sums *sums);

/* The same figures as an array of objects, each with its name. NULL when out of memory. */
json_t *sl_channel_sums_json(const struct sl_channel_sums *sums);

#endif
