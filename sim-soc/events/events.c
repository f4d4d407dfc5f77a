/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Telling observers. */
#include "events/events.h"

#include <assert.h>

void probe_emit(const struct stream *stream, const struct obs_event *event)
{
    for (uint32_t i = 0; i < stream->count; i++) {
        struct observer *observer = stream->observers[i];
        if (observer->ops->wants >> event->kind & 1) {
            observer->ops->event(observer, event);
        }
    }
}

static bool wants_ticks(const struct observer *observer)
{
    return (observer->ops->wants >> OBS_TICK & 1) != 0;
}

static void find_next_tick(struct stream *stream)
{
    stream->tick_ps = STREAM_NEVER;
    for (uint32_t i = 0; i < stream->count; i++) {
        const struct observer *observer = stream->observers[i];
        if (wants_ticks(observer) && observer->tick_ps < stream->tick_ps) {
            stream->tick_ps = observer->tick_ps;
        }
    }
}

void stream_begin(struct stream *stream)
{
    const struct obs_event event = {.kind = OBS_BEGIN};

    probe_emit(stream, &event);
    find_next_tick(stream);
}

void stream_tick(struct stream *stream)
{
    const struct obs_event event = {.time_ps = stream->tick_ps, .kind = OBS_TICK};

    for (uint32_t i = 0; i < stream->count; i++) {
        struct observer *observer = stream->observers[i];
        if (wants_ticks(observer) && observer->tick_ps <= event.time_ps) {
            observer->ops->event(observer, &event);
        }
    }
    find_next_tick(stream);
}

void stream_subscribe(struct stream *stream, struct observer *observer)
{
    assert(stream->count < STREAM_OBSERVERS);
    stream->observers[stream->count++] = observer;
    stream->wanted |= observer->ops->wants;
}
