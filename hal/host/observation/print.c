/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shows records of the print buffer in order. The host reads the buffer while simulated time runs
 * and writes it only between runs, so that a run does not depend on it. A record whose lane has
 * reserved but not finished it holds up those behind it, for as long as the run lasts. */
#include "host/observation/print.h"

#include <inttypes.h>
#include <string.h>

#include "host/observation/print.h"
#include "sluice/print.h"

void sl_print_begin(struct sl_print *print, struct sl_print_buffer *buffer)
{
    print->buffer = buffer;
    print->shown = 0;
    if (buffer != NULL) {
        const uint64_t used = buffer->tail < buffer->bytes ? buffer->tail : buffer->bytes;
        memset(buffer + 1, 0, used);
        buffer->tail = 0;
        buffer->lost = 0;
    }
}

static FILE *stream_of(const struct sl_print *print)
{
    return print->stream != NULL ? print->stream : stderr;
}

/* Shows the next record. Returns false where there is none, or it is not finished. */
static bool show_next(struct sl_print *print, uint64_t limit)
{
    const struct sl_print_memory memory = {print->layout->dram_limit - print->layout->dram_bytes,
                                           print->layout->top_base};
    const char *const data = (const char *)(print->buffer + 1);
    const struct sl_print_record *const record =
        (const struct sl_print_record *)(const void *)(data + print->shown);
    const uint64_t left = limit - print->shown;
    if (left < sizeof *record) {
        return false;
    }
    const uint64_t ready = __atomic_load_n(&record->ready, __ATOMIC_ACQUIRE);
    if (ready == 0 || ready > SL_PRINT_ARGUMENTS + 1 ||
        left < sizeof *record + (ready - 1) * sizeof(uint64_t)) {
        return false;
    }
    sl_print_format(stream_of(print), &memory, record->format, (const uint64_t *)(record + 1),
                    ready - 1);
    print->shown += sizeof *record + (ready - 1) * sizeof(uint64_t);
    return true;
}

void sl_print_show(struct sl_print *print, bool is_end)
{
    const struct sl_print_buffer *const buffer = print->buffer;
    if (buffer == NULL) {
        return;
    }
    const uint64_t tail = __atomic_load_n(&buffer->tail, __ATOMIC_RELAXED);
    const uint64_t limit = tail < buffer->bytes ? tail : buffer->bytes;
    bool is_shown = false;
    while (show_next(print, limit)) {
        is_shown = true;
    }
    if (is_end && buffer->lost > 0) {
        char setting[64];
        sl_config_format(SL_CFG_HOST_PRINT_BUFFER, print->config, setting, sizeof setting);
        (void)fprintf(stream_of(print),
                      "(%" PRIu64 " calls of sl_printf lost: host.print_buffer of %s is full)\n",
                      buffer->lost, setting);
    }
    if (is_shown) {
        (void)fflush(stream_of(print));
    }
}
