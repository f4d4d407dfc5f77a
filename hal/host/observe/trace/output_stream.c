/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Writing in large pieces. */
#include "host/observe/trace/output_stream.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/number.h"
#include "host/base/safe_write.h"
#include "host/driver/machine/paths.h"

static bool is_stream(const struct sl_stream *sink)
{
    return sink->place.kind == SL_TARGET_STREAM || sink->place.kind == SL_TARGET_DESCRIPTOR;
}

/* A FIFO waits here for its reader. */
static int open_now(struct sl_stream *sink, const char *path)
{
    const char *const name = strcmp(path, "-") == 0 ? "/dev/stdout" : path;
    int reason = sl_path_check_output(name);

    if (reason == 0) {
        reason = sl_target_resolve(&sink->place, name);
    }
    if (reason == 0 && is_stream(sink)) {
        sink->fd = sl_target_open(&sink->place);
        reason = sink->fd < 0 ? errno : 0;
    }
    return reason;
}

int sl_stream_open(struct sl_stream *sink, const char *path)
{
    *sink = (struct sl_stream){.fd = -1};
    int reason = open_now(sink, path);

    if (reason == 0) {
        sink->buffer = malloc(SL_STREAM_BYTES);
        reason = sink->buffer == NULL ? ENOMEM : 0;
    }
    if (reason != 0) {
        if (sink->fd >= 0) {
            (void)close(sink->fd);
        }
        errno = reason;
        return -1;
    }
    return 0;
}

static int write_buffer(struct sl_stream *sink)
{
    if (sink->fd < 0) {
        sink->fd = sl_target_open_growing(&sink->place);
    }
    return sink->fd < 0 ? errno : sl_write_all(sink->fd, sink->buffer, sink->length);
}

bool sl_stream_flush(struct sl_stream *sink)
{
    if (sl_stream_failure(sink) == 0) {
        __atomic_store_n(&sink->reason, write_buffer(sink), __ATOMIC_RELEASE);
    }
    sink->length = 0;
    return sl_stream_failure(sink) == 0;
}

char *sl_stream_take(struct sl_stream *sink, size_t bytes)
{
    if (SL_STREAM_BYTES - sink->length < bytes) {
        (void)sl_stream_flush(sink);
    }
    return sink->buffer + sink->length;
}

void sl_stream_put(struct sl_stream *sink, const char *end)
{
    sink->length = (size_t)(end - sink->buffer);
}

void sl_stream_text(struct sl_stream *sink, const char *text, size_t length)
{
    char *const to = sl_stream_take(sink, length);
    memcpy(to, text, length);
    sl_stream_put(sink, to + length);
}

void sl_stream_print(struct sl_stream *sink, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    const int length = sl_number_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0) {
        sl_stream_text(sink, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    }
}

int sl_stream_failure(const struct sl_stream *sink)
{
    return __atomic_load_n(&sink->reason, __ATOMIC_ACQUIRE);
}

void sl_stream_close(struct sl_stream *sink)
{
    if (sink->buffer == NULL) {
        return; /* it was never opened */
    }
    if (sink->fd >= 0) {
        (void)sl_stream_flush(sink);
        (void)close(sink->fd);
        sink->fd = -1;
    }
    free(sink->buffer);
    sink->buffer = NULL;
}
