/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of observers. */
#include "soc/observer_table.h"

static int (*const creators[])(const struct observer_parts *, struct observer **) = {
#define SL_OBSERVER(name) obs_##name##_create,
#include "observers/observers.def"
#undef SL_OBSERVER
};

_Static_assert(sizeof(creators) / sizeof(creators[0]) <= STREAM_OBSERVERS, "room for all");

int observers_create(const struct observer_parts *parts, struct stream *stream)
{
    for (size_t i = 0; i < sizeof(creators) / sizeof(creators[0]); i++) {
        struct observer *observer = NULL;
        if (creators[i](parts, &observer) != 0) {
            return -1;
        }
        if (observer != NULL) {
            stream_subscribe(stream, observer);
        }
    }
    return 0;
}

void observers_destroy(struct stream *stream)
{
    for (uint32_t i = 0; i < stream->count; i++) {
        stream->observers[i]->ops->destroy(stream->observers[i]);
    }
    *stream = (struct stream){.tick_ps = STREAM_NEVER};
}
