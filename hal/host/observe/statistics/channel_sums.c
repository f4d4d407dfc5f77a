/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channels' latencies in all, and their names in the file of statistics:
 *     latency.CHANNEL.STATE_FIGURE     ready, dispatched; elements, and times in ns */
#include "host/observe/statistics/channel_sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/utf8.h"

#define NAME_BYTES 160

static const double ps_per_ns = 1000;

/* The sum of a channel, put in where it is not there; NULL when out of memory. */
static struct sl_channel_sum *find(struct sl_channel_sums *sums, const char *name)
{
    for (size_t i = 0; i < sums->count; i++) {
        if (strcmp(sums->channels[i]->name, name) == 0) {
            return sums->channels[i];
        }
    }
    struct sl_channel_sum **const more =
        realloc(sums->channels, (sums->count + 1) * sizeof *sums->channels);
    sums->channels = more != NULL ? more : sums->channels;
    struct sl_channel_sum *const sum = more != NULL ? calloc(1, sizeof *sum) : NULL;
    char *const copy = sum != NULL ? strdup(name) : NULL;
    if (copy == NULL) {
        free(sum);
        return NULL;
    }
    sum->name = copy;
    more[sums->count++] = sum;
    return sum;
}

int sl_channel_sums_take(struct sl_channel_sums *sums, const struct sl_channel_latency *latency,
                         const struct sl_channel_names *names)
{
    for (uint64_t i = 0; i < latency->count && i < SL_GRAPH_CHANNELS; i++) {
        char name[NAME_BYTES];
        if (latency->of[i].ready.count == 0) {
            continue;
        }
        names->channel(names->owner, i, name, sizeof name);
        struct sl_channel_sum *const sum = find(sums, name);
        if (sum == NULL) {
            return -1;
        }
        sl_element_latency_add(&sum->latency, &latency->of[i]);
    }
    return 0;
}

void sl_channel_sums_clear(struct sl_channel_sums *sums)
{
    for (size_t i = 0; i < sums->count; i++) {
        free(sums->channels[i]->name);
        free(sums->channels[i]);
    }
    free(sums->channels);
    *sums = (struct sl_channel_sums){.channels = NULL};
}

static json_t *ns(double ps)
{
    return json_real(ps / ps_per_ns);
}

static json_t *quantile(const struct sl_histogram *times, uint32_t per_mille)
{
    return ns((double)sl_histogram_quantile(times, per_mille));
}

/* What elements of one state took, under names that begin with these. */
static int put_state(json_t *object, const char *channel, const char *state,
                     const struct sl_histogram *times)
{
    const double count = times->count > 0 ? (double)times->count : 1;
    const struct {
        const char *name;
        json_t *value;
    } figures[] = {
        {"elements", json_integer((json_int_t)times->count)},
        {"mean_ns", ns((double)times->sum / count)},
        {"p50_ns", quantile(times, 500)},
        {"p99_ns", quantile(times, 990)},
        {"max_ns", quantile(times, 1000)},
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        char name[2 * NAME_BYTES];
        (void)snprintf(name, sizeof name, "%s%s_%s", channel, state, figures[i].name);
        failed |= sl_json_set_new(object, name, figures[i].value);
    }
    return failed;
}

static int put_channel(json_t *object, const char *channel,
                       const struct sl_element_latency *latency)
{
    return put_state(object, channel, "ready", &latency->ready) |
           put_state(object, channel, "dispatched", &latency->dispatched);
}

int sl_channel_sums_put(json_t *object, const struct sl_channel_sums *sums)
{
    int failed = 0;
    for (size_t i = 0; i < sums->count; i++) {
        char channel[NAME_BYTES + 16];
        (void)snprintf(channel, sizeof channel, "latency.%s.", sums->channels[i]->name);
        failed |= put_channel(object, channel, &sums->channels[i]->latency);
    }
    return failed == 0 ? 0 : -1;
}

json_t *sl_channel_sums_json(const struct sl_channel_sums *sums)
{
    json_t *const array = json_array();
    int failed = 0;
    for (size_t i = 0; i < sums->count; i++) {
        json_t *const object = json_pack("{s:o}", "name", sl_json_text(sums->channels[i]->name));
        failed |= put_channel(object, "", &sums->channels[i]->latency);
        failed |= json_array_append_new(array, object);
    }
    if (failed != 0) {
        json_decref(array);
        return NULL;
    }
    return array;
}
