/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Writing in large pieces. Whoever writes has all signals blocked (drain.c), so that a reader who
 * has gone and a limit of sizes are errors, or is ended by them as any other program. */
#include "host/records/sink.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/files/place.h"

int sl_sink_open(struct sl_sink *sink, const char *path)
{
    *sink = (struct sl_sink){.fd = sl_place_open_growing(path)};
    if (sink->fd < 0) {
        return -1;
    }
    sink->buffer = malloc(SL_SINK_BYTES);
    if (sink->buffer == NULL) {
        sl_sink_close(sink);
        errno = ENOMEM;
        return -1;
    }
    return 0;
}

bool sl_sink_flush(struct sl_sink *sink)
{
    size_t done = 0;

    while (done < sink->length && sl_sink_failure(sink) == 0) {
        const ssize_t written = write(sink->fd, sink->buffer + done, sink->length - done);
        if (written >= 0) {
            done += (size_t)written;
        } else if (errno != EINTR) {
            __atomic_store_n(&sink->reason, errno, __ATOMIC_RELEASE);
        }
    }
    sink->length = 0;
    return sl_sink_failure(sink) == 0;
}

char *sl_sink_take(struct sl_sink *sink, size_t bytes)
{
    if (SL_SINK_BYTES - sink->length < bytes) {
        (void)sl_sink_flush(sink);
    }
    return sink->buffer + sink->length;
}

void sl_sink_put(struct sl_sink *sink, const char *end)
{
    sink->length = (size_t)(end - sink->buffer);
}

void sl_sink_text(struct sl_sink *sink, const char *text, size_t length)
{
    char *const to = sl_sink_take(sink, length);
    memcpy(to, text, length);
    sl_sink_put(sink, to + length);
}

void sl_sink_print(struct sl_sink *sink, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0) {
        sl_sink_text(sink, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    }
}

int sl_sink_failure(const struct sl_sink *sink)
{
    return __atomic_load_n(&sink->reason, __ATOMIC_ACQUIRE);
}

void sl_sink_close(struct sl_sink *sink)
{
    if (sink->fd >= 0) {
        (void)close(sink->fd);
        sink->fd = -1;
    }
    free(sink->buffer);
    sink->buffer = NULL;
}
