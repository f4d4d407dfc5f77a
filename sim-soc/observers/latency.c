/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How long channel elements take, of all channels (latency.measure) and of each (likewise, and for
 * a report): from their publication to the launch of their wavefront, and from there to its end.
 * And how long *requests* take, elements that the host puts into an open graph: from the time that
 * it has named for them to the end of their wavefront (wave_latency.h).
 *
 * An element is published when the store that moves its channel's control_tail beyond its entry
 * takes effect (docs/know/design.md, "Publication"); of a stamped channel, when the last of the
 * stamps does up to that of its own publication ("Stamped publication"). Those that the host has
 * put in are published when the run begins. It is launched when a wavefront that has its entry
 * takes a context. In between, the time of its publication is kept by the entry's position. Entries
 * not launched are of elements that the channel holds, as many as its width at most, so that
 * positions modulo the width are enough; and all channels together have as many as fit into the
 * shared heap. Address space is reserved for these at once, of which what channels use becomes
 * memory. Nothing here changes what is simulated.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "observers/graph_lookup.h"
#include "observers/observers.h"
#include "observers/wave_latency.h"
#include "sluice/config.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"
#include "sluice/stamp.h"

/* The least that an element takes in the heap: in the data array, and two entries of the control
 * array. */
#define ELEMENT_BYTES (SL_CHANNEL_STRIDE_MIN + 2 * sizeof(uint32_t))

/* Times are in ps, and 1 more; 0 is none. */
struct latency_times {
    uint64_t published; /* 0: it is not, or it was launched */
    uint64_t named;     /* of a request; likewise */
};

struct latency_channel {
    uint64_t tail;    /* control_tail: positions below are published */
    uint64_t width;   /* a power of two */
    uint64_t *stamps; /* of a stamped channel; else NULL */
    uint64_t stamps_address;
    uint64_t number;             /* of its next publication */
    struct latency_times *times; /* by position modulo the width */
};

struct latency {
    struct observer base;
    struct dram dram;
    uint64_t tails; /* address of the first channel's control_tail */
    uint32_t channel_count;
    bool has_stamps;
    struct latency_channel channels[SL_GRAPH_CHANNELS];
    uint64_t waiting; /* published or requested, not launched: so many times */
    uint64_t used;    /* of `times`, by the run's channels */
    uint64_t capacity;
    struct wave_latency waves;
    struct latency_times times[];
};

static struct sl_channel_latency *channels_of(const struct latency *latency)
{
    return latency->waves.figures.channels;
}

/* Without a graph: what the one before has left waiting, because it ended early, is nobody's. */
static void forget(struct latency *latency)
{
    if (latency->waiting > 0) {
        memset(latency->times, 0, latency->used * sizeof(latency->times[0]));
    }
    latency->channel_count = 0;
    latency->has_stamps = false;
    latency->waiting = 0;
    latency->used = 0;
}

/* Positions up to a new tail are published. One that a stray store of a kernel has moved by more
 * than a channel holds publishes nothing: such a run does not complete. */
static void publish(struct latency *latency, struct latency_channel *channel, uint64_t tail,
                    uint64_t time_ps)
{
    if (tail - channel->tail > channel->width) {
        return;
    }
    latency->waiting += tail - channel->tail;
    for (; channel->tail != tail; channel->tail++) {
        channel->times[channel->tail & (channel->width - 1)].published = time_ps + 1;
    }
}

/* The publication that is next, and those behind it, if they are stamped. */
static void follow_stamps(struct latency *latency, struct latency_channel *channel,
                          uint64_t time_ps)
{
    const uint32_t width = (uint32_t)channel->width;
    uint64_t stamp = *sl_stamp_at(channel->stamps, width, channel->number);
    uint32_t entries;

    while ((entries = sl_stamped_entries(stamp, channel->number, width)) > 0) {
        publish(latency, channel, channel->tail + entries, time_ps);
        channel->number = sl_stamp_next(stamp);
        stamp = *sl_stamp_at(channel->stamps, width, channel->number);
    }
}

/* A wavefront's store, which may be of a stamp. */
static void stored_stamp(struct latency *latency, uint64_t address, uint64_t time_ps)
{
    for (uint32_t i = 0; i < latency->channel_count; i++) {
        struct latency_channel *channel = &latency->channels[i];
        const uint64_t bytes = sl_stamp_count((uint32_t)channel->width) * sizeof(uint64_t);
        if (channel->stamps != NULL && address - channel->stamps_address < bytes) {
            follow_stamps(latency, channel, time_ps);
        }
    }
}

/* Channels that firmware has checked have room; others would not come here. */
static void set_graph(struct latency *latency, uint64_t address)
{
    uint32_t count;
    const struct sl_channel *channels = graph_channels(&latency->dram, address, &count);

    forget(latency);
    latency->tails = graph_channels_base(address) + offsetof(struct sl_channel, control_tail);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t width = channels[i].width;
        if (width == 0 || (width & (width - 1)) != 0 || width > latency->capacity - latency->used) {
            latency->channel_count = 0;
            return;
        }
        latency->channels[i] = (struct latency_channel){
            .tail = channels[i].control_head,
            .width = width,
            .times = latency->times + latency->used,
        };
        latency->used += width;
        if ((channels[i].flags & SL_CHANNEL_STAMPED) != 0) {
            latency->channels[i].stamps = dram_at(&latency->dram, channels[i].stamps);
            latency->channels[i].stamps_address = channels[i].stamps;
            latency->channels[i].number = channels[i].number;
            latency->has_stamps = true;
            follow_stamps(latency, &latency->channels[i], 0);
        } else {
            publish(latency, &latency->channels[i], channels[i].control_tail, 0);
        }
    }
    latency->channel_count = count;
    if (channels_of(latency) != NULL && channels_of(latency)->count < count) {
        channels_of(latency)->count = count;
    }
}

/* A store, which may be to a control_tail. */
static void stored(struct latency *latency, const struct obs_access *access, uint64_t time_ps)
{
    for (uint64_t rest = access->lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        const uint64_t offset = access->address[lane] - latency->tails;
        const uint64_t channel = offset / sizeof(struct sl_channel);
        if (latency->has_stamps) {
            stored_stamp(latency, access->address[lane], time_ps);
        }
        if (channel < latency->channel_count && offset % sizeof(struct sl_channel) == 0 &&
            latency->channels[channel].stamps == NULL) {
            publish(latency, &latency->channels[channel], access->value[lane], time_ps);
        }
    }
}

/* The host's elements are stored, and about to be published. */
static void fed(struct latency *latency, const struct obs_feed *feed)
{
    if (feed->channel >= latency->channel_count) {
        return;
    }
    const struct latency_channel *channel = &latency->channels[feed->channel];
    for (uint32_t i = 0; i < feed->count; i++) {
        channel->times[(feed->first + i) & (channel->width - 1)].named = feed->time_ps + 1;
    }
    latency->waiting += feed->count;
}

/* An element is launched that has waited so long. */
static void count_ready(const struct latency_figures *figures, struct wave_times *wave,
                        uint64_t ready_ps)
{
    if (figures->all != NULL) {
        sl_histogram_add(&figures->all->ready, ready_ps, 1);
    }
    if (figures->channels != NULL) {
        sl_histogram_add(&figures->channels->of[wave->channel].ready, ready_ps, 1);
    }
    wave->elements++;
}

static void launched(struct latency *latency, const struct obs_event *event)
{
    struct wave_times *wave = wave_latency_launched(&latency->waves, event);

    if (event->wave.group != UINT32_MAX || event->wave.channel >= latency->channel_count) {
        return;
    }
    const struct latency_channel *channel = &latency->channels[event->wave.channel];
    for (uint32_t lane = 0; lane < event->life.lanes; lane++) {
        struct latency_times *times =
            &channel->times[(event->life.first + lane) & (channel->width - 1)];
        if (times->published != 0) {
            count_ready(&latency->waves.figures, wave, event->time_ps + 1 - times->published);
            latency->waiting--;
        }
        if (times->named != 0) {
            wave->due_ps[wave->requests++] = times->named - 1;
            latency->waiting--;
        }
        *times = (struct latency_times){0};
    }
}

/* What is counted by channel goes on: the host clears it. */
static void begin(struct latency *latency)
{
    const struct latency_figures *figures = &latency->waves.figures;

    forget(latency);
    wave_latency_begin(&latency->waves);
    if (figures->all != NULL) {
        *figures->all = (struct sl_element_latency){.ready = {0}};
    }
    if (figures->request != NULL) {
        *figures->request = (struct sl_histogram){0};
    }
}

static void latency_event(struct observer *observer, const struct obs_event *event)
{
    struct latency *latency = (struct latency *)observer;

    switch (event->kind) {
    case OBS_BEGIN:
        begin(latency);
        break;
    case OBS_GRAPH:
        set_graph(latency, event->address);
        break;
    case OBS_LAUNCH:
        launched(latency, event);
        break;
    case OBS_FEED:
        fed(latency, &event->feed);
        break;
    case OBS_ACCESS:
        if (event->access.value != NULL && event->access.space == MEM_SHARED) {
            stored(latency, &event->access, event->time_ps);
        }
        break;
    default:
        wave_latency_event(&latency->waves, event);
        break;
    }
}

static void latency_destroy(struct observer *observer)
{
    wave_latency_destroy(&((struct latency *)observer)->waves);
    free(observer);
}

int obs_latency_create(const struct observer_parts *parts, struct observer **observer)
{
    static const struct observer_ops ops = {
        .name = "latency",
        .wants = 1u << OBS_BEGIN | 1u << OBS_GRAPH | 1u << OBS_FEED | 1u << OBS_LAUNCH |
                 1u << OBS_ACCESS | WAVE_LATENCY_EVENTS,
        .event = latency_event,
        .destroy = latency_destroy,
    };
    const uint64_t capacity = (parts->layout->heap_limit - SL_HEAP_BASE) / ELEMENT_BYTES;

    const bool is_measured = parts->config->number[SL_CFG_LATENCY_MEASURE] == SL_LATENCY_MEASURE_ON;
    const struct latency_figures figures = {
        .all = is_measured ? parts->latency : NULL,
        .channels = parts->channels,
        .request = is_measured ? parts->request : NULL,
    };

    if (!is_measured && parts->channels == NULL) {
        return 0;
    }
    struct latency *latency = calloc(1, sizeof(*latency) + capacity * sizeof(struct latency_times));
    if (latency == NULL) {
        return -1;
    }
    if (wave_latency_init(&latency->waves, parts, &figures) != 0) {
        free(latency);
        return -1;
    }
    latency->base.ops = &ops;
    latency->dram = *parts->dram;
    latency->capacity = capacity;
    *observer = &latency->base;
    return 0;
}
