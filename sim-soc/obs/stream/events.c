/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Telling observers. */
#include "obs/stream/events.h"

#include <assert.h>

void stream_tell(const struct stream *stream, const struct obs_event *event)
{
    for (uint32_t i = 0; i < stream->count; i++) {
        struct observer *observer = stream->observers[i];
        if (observer->ops->wants >> event->kind & 1) {
            observer->ops->event(observer, event);
        }
    }
}

void stream_subscribe(struct stream *stream, struct observer *observer)
{
    assert(stream->count < STREAM_OBSERVERS);
    stream->observers[stream->count++] = observer;
    stream->wanted |= observer->ops->wants;
}
