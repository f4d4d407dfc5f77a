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

#define SL_SINK_BYTES (1u << 18)

struct sl_sink {
    struct sl_place place;
    int fd;     /* -1: not open, or not yet */
    int reason; /* the errno of the first write that failed, or 0; read by others than the writer */
    size_t length;
    char *buffer; /* of SL_SINK_BYTES */
};

/* What is no regular file is opened, to be written to at its end; "-" and "/dev/stdout" are
 * standard output as it is, also where that is a file which has something already
 * (base/output_target.h). Of a regular file it is checked that it can be written. Returns 0, or -1
 * with errno. */
int sl_sink_open(struct sl_sink *sink, const char *path);

/* Room for so many bytes, up to SL_SINK_BYTES. Behind it, sl_sink_put() says up to where they were
 * filled. */
char *sl_sink_take(struct sl_sink *sink, size_t bytes);
void sl_sink_put(struct sl_sink *sink, const char *end);

void sl_sink_text(struct sl_sink *sink, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) void sl_sink_print(struct sl_sink *sink, const char *format,
                                                         ...);

/* Writes what is in the buffer. Returns whether all could be written so far. */
bool sl_sink_flush(struct sl_sink *sink);

/* Why something could not be written, as an errno, or 0. */
int sl_sink_failure(const struct sl_sink *sink);

/* Writes what is in the buffer, where something was written before: a sink that was never flushed
 * leaves a regular file as it was. */
void sl_sink_close(struct sl_sink *sink);

#endif
