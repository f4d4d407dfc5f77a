/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shows records of the print buffer in order. The host reads the buffer while simulated time runs
 * and writes it only between runs, so that a run does not depend on it. A record whose lane has
 * reserved but not finished it holds up those behind it, for as long as the run lasts.
 *
 * Lanes can write all of the buffer. Where it is and how large, the host knows itself; what it says
 * of itself are numbers, read once each, and a record is copied before it is looked at. */
#define _GNU_SOURCE 1
#include "host/observe/print/print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/print.h"

static uint64_t space_of(const struct sl_print *print)
{
    return (uint64_t)print->config->number[SL_CFG_HOST_PRINT_BUFFER];
}

/* Bytes of it that records are in, as it says. */
static uint64_t used_of(const struct sl_print *print)
{
    const uint64_t tail = __atomic_load_n(&print->buffer->tail, __ATOMIC_RELAXED);
    const uint64_t space = space_of(print);
    return tail < space ? tail : space;
}

void sl_print_begin(struct sl_print *print, struct sl_print_buffer *buffer,
                    const struct sl_print_memory *memory)
{
    print->buffer = buffer;
    print->memory = *memory;
    print->shown = 0;
    print->written = 0;
    print->is_cut = false;
    if (buffer != NULL) {
        memset(buffer + 1, 0, used_of(print));
        buffer->tail = 0;
        buffer->lost = 0;
        buffer->bytes = space_of(print);
    }
}

static FILE *stream_of(const struct sl_print *print)
{
    return print->stream != NULL ? print->stream : stderr;
}

/* Says once that there is more than is shown. */
static void cut(struct sl_print *print)
{
    char limit[64];
    if (!print->is_cut) {
        print->is_cut = true;
        sl_config_format(SL_CFG_HOST_PRINT_LIMIT, print->config, limit, sizeof limit);
        (void)fprintf(stream_of(print),
                      "\n(kernels have printed %s: host.print_limit; the rest is left out)\n",
                      limit);
    }
}

/* Shows what a record says, as far as the run's limit goes. */
static void show(struct sl_print *print, uint64_t format, const uint64_t *arguments, uint64_t count)
{
    const uint64_t most = (uint64_t)print->config->number[SL_CFG_HOST_PRINT_LIMIT] - print->written;
    char *text = NULL;
    size_t bytes = 0;
    FILE *const memory = open_memstream(&text, &bytes);
    if (memory == NULL) {
        return;
    }
    sl_print_format(memory, &print->memory, format, arguments, count, most);
    if (fclose(memory) == 0) {
        size_t done = 0;
        print->written += sl_print_escape(stream_of(print), text, bytes, most, &done);
        if (done < bytes) {
            cut(print);
        }
    }
    free(text);
}

/* Shows the next record. Returns false where there is none, or it is not finished. */
static bool show_next(struct sl_print *print, uint64_t limit)
{
    const char *const data = (const char *)(print->buffer + 1);
    const struct sl_print_record *const record =
        (const struct sl_print_record *)(const void *)(data + print->shown);
    const uint64_t left = limit - print->shown;
    uint64_t arguments[SL_PRINT_ARGUMENTS];
    if (limit < print->shown || left < sizeof *record) {
        return false;
    }
    const uint64_t ready = __atomic_load_n(&record->ready, __ATOMIC_ACQUIRE);
    if (ready == 0 || ready > SL_PRINT_ARGUMENTS + 1 ||
        left < sizeof *record + (ready - 1) * sizeof(uint64_t)) {
        return false;
    }
    memcpy(arguments, record + 1, (ready - 1) * sizeof(uint64_t));
    if (!print->is_cut) {
        show(print, __atomic_load_n(&record->format, __ATOMIC_RELAXED), arguments, ready - 1);
    }
    print->shown += sizeof *record + (ready - 1) * sizeof(uint64_t);
    return true;
}

void sl_print_show(struct sl_print *print, bool is_end)
{
    if (print->buffer == NULL) {
        return;
    }
    const uint64_t limit = used_of(print);
    const uint64_t lost = __atomic_load_n(&print->buffer->lost, __ATOMIC_RELAXED);
    bool is_shown = false;
    while (show_next(print, limit)) {
        is_shown = true;
    }
    if (is_end && lost > 0) {
        char setting[64];
        sl_config_format(SL_CFG_HOST_PRINT_BUFFER, print->config, setting, sizeof setting);
        (void)fprintf(stream_of(print),
                      "(%" PRIu64 " calls of sl_printf lost: host.print_buffer of %s is full)\n",
                      lost, setting);
    }
    if (is_shown) {
        (void)fflush(stream_of(print));
    }
}
