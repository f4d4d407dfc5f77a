/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A file that much is written to, over long: a regular file, a FIFO, a terminal. What could not be
 * written is known, and nothing is written behind it. A regular file is made, or emptied, when the
 * first bytes are written: until then what was there stays. */
#ifndef SLUICE_HOST_OBSERVE_TRACE_OUTPUT_STREAM_H
#define SLUICE_HOST_OBSERVE_TRACE_OUTPUT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/output_target.h"

#define SL_STREAM_BYTES (1u << 18)

struct sl_stream {
    struct sl_target place;
    int fd;     /* -1: not open, or not yet */
    int reason; /* the errno of the first write that failed, or 0; read by others than the writer */
    size_t length;
    char *buffer; /* of SL_STREAM_BYTES */
};

/* What is no regular file is opened, to be written to at its end; "-" and "/dev/stdout" are
 * standard output as it is, also where that is a file which has something already
 * (base/output_target.h). Of a regular file it is checked that it can be written. Returns 0, or -1
 * with errno. */
int sl_stream_open(struct sl_stream *sink, const char *path);

/* Room for so many bytes, up to SL_STREAM_BYTES. Behind it, sl_stream_put() says up to where they
 * were filled. */
char *sl_stream_take(struct sl_stream *sink, size_t bytes);
void sl_stream_put(struct sl_stream *sink, const char *end);

void sl_stream_text(struct sl_stream *sink, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) void sl_stream_print(struct sl_stream *sink,
                                                           const char *format, ...);

/* Writes what is in the buffer. Returns whether all could be written so far. */
bool sl_stream_flush(struct sl_stream *sink);

/* Why something could not be written, as an errno, or 0. */
int sl_stream_failure(const struct sl_stream *sink);

/* Writes what is in the buffer, where something was written before: a sink that was never flushed
 * leaves a regular file as it was. */
void sl_stream_close(struct sl_stream *sink);

#endif
