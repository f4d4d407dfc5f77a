/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shows records of the print buffer in order. The host reads the buffer while simulated time runs
 * and writes it only between runs, so that a run does not depend on it. A record whose lane has
 * reserved but not finished it holds up those behind it, for as long as the run lasts. */
#include "host/observation/print.h"

#include <inttypes.h>
#include <string.h>

#include "host/machine/machine.h"
#include "host/machine/soc.h"
#include "sluice/print.h"

#define SPECIFICATION_BYTES 64

/* One conversion of a format: "%-8.3lx". */
struct specification {
    char text[SPECIFICATION_BYTES]; /* without its length, widths from arguments filled in */
    size_t length;
    unsigned longs;  /* of l and ll; 2 for j, z and t */
    unsigned shorts; /* of h and hh */
    char conversion;
};

struct reader {
    FILE *out;
    const struct sl_print_memory *memory;
    const char *at;
    const char *end; /* of the memory */
    const uint64_t *arguments;
    uint64_t count;
    uint64_t next;
};

static char peek(const struct reader *reader)
{
    return reader->at < reader->end ? *reader->at : '\0';
}

static bool take_argument(struct reader *reader, uint64_t *value)
{
    if (reader->next == reader->count) {
        return false;
    }
    *value = reader->arguments[reader->next++];
    return true;
}

static void append(struct specification *spec, char c)
{
    if (spec->length < sizeof spec->text - 8) {
        spec->text[spec->length++] = c;
    }
}

/* Flags, width and precision; '*' is replaced by its argument. */
static void read_shape(struct reader *reader, struct specification *spec)
{
    while (peek(reader) != '\0' && strchr("-+ #0123456789.*", peek(reader)) != NULL) {
        const char c = *reader->at++;
        uint64_t value = 0;
        if (c != '*') {
            append(spec, c);
        } else if (take_argument(reader, &value)) {
            char digits[16];
            (void)snprintf(digits, sizeof digits, "%d", (int)value);
            for (const char *digit = digits; *digit != '\0'; digit++) {
                append(spec, *digit);
            }
        }
    }
    while (peek(reader) != '\0' && sl_print_is_length(peek(reader))) {
        const char c = *reader->at++;
        spec->shorts += c == 'h';
        spec->longs += c == 'h' ? 0 : c == 'l' ? 1 : 2;
    }
}

static uint64_t narrowed(const struct specification *spec, uint64_t value, bool is_signed)
{
    if (spec->longs > 0) {
        return value;
    }
    const unsigned bits = spec->shorts >= 2 ? 8 : spec->shorts == 1 ? 16 : 32;
    value <<= 64 - bits;
    return is_signed ? (uint64_t)((int64_t)value >> (64 - bits)) : value >> (64 - bits);
}

static void print_string(const struct reader *reader, const struct specification *spec,
                         uint64_t address)
{
    const struct sl_print_memory *const memory = reader->memory;
    const char *const text = (const char *)(uintptr_t)address;
    if (address < memory->base || address >= memory->limit ||
        memchr(text, '\0', memory->limit - address) == NULL) {
        (void)fprintf(reader->out, "(no string in shared memory: 0x%" PRIx64 ")", address);
        return;
    }
    (void)fprintf(reader->out, spec->text, text);
}

static void finish(struct specification *spec, const char *length, char conversion)
{
    while (*length != '\0') {
        spec->text[spec->length++] = *length++;
    }
    spec->text[spec->length++] = conversion;
    spec->text[spec->length] = '\0';
}

static void print_value(const struct reader *reader, struct specification *spec, uint64_t value)
{
    const char conversion = spec->conversion;
    double real;
    memcpy(&real, &value, sizeof real);
    switch (conversion) {
    case 'd':
    case 'i':
        finish(spec, PRId64[0] == 'l' && PRId64[1] == 'd' ? "l" : "ll", conversion);
        (void)fprintf(reader->out, spec->text, (int64_t)narrowed(spec, value, true));
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        finish(spec, PRId64[0] == 'l' && PRId64[1] == 'd' ? "l" : "ll", conversion);
        (void)fprintf(reader->out, spec->text, narrowed(spec, value, false));
        break;
    case 'c':
        finish(spec, "", 'c');
        (void)fprintf(reader->out, spec->text, (int)value);
        break;
    case 'p':
        (void)fprintf(reader->out, "0x%" PRIx64, value);
        break;
    case 's':
        finish(spec, "", 's');
        print_string(reader, spec, value);
        break;
    default:
        if (strchr("aAeEfFgG", conversion) != NULL) {
            finish(spec, "", conversion);
            (void)fprintf(reader->out, spec->text, real);
        } else {
            (void)fprintf(reader->out, "(%%%c: not a conversion of sl_printf)", conversion);
        }
        break;
    }
}

static void print_conversion(struct reader *reader)
{
    struct specification spec = {.text = "%", .length = 1};
    uint64_t value;
    read_shape(reader, &spec);
    spec.conversion = peek(reader);
    if (spec.conversion == '\0') {
        return;
    }
    reader->at++;
    if (spec.conversion == '%') {
        (void)putc('%', reader->out);
    } else if (take_argument(reader, &value)) {
        print_value(reader, &spec, value);
    } else {
        (void)fprintf(reader->out, "(no argument)");
    }
}

void sl_print_format(FILE *out, const struct sl_print_memory *memory, uint64_t format,
                     const uint64_t *arguments, uint64_t count)
{
    if (format < memory->base || format >= memory->limit) {
        (void)fprintf(out, "(no format in shared memory: 0x%" PRIx64 ")\n", format);
        return;
    }
    struct reader reader = {
        .out = out,
        .memory = memory,
        .at = (const char *)(uintptr_t)format,
        .end = (const char *)(uintptr_t)memory->limit,
        .arguments = arguments,
        .count = count,
    };
    while (peek(&reader) != '\0') {
        const char c = *reader.at++;
        if (c == '%') {
            print_conversion(&reader);
        } else {
            (void)putc(c, out);
        }
    }
}

enum sl_status sl_print_attach(struct sl_soc *soc, uint64_t variable)
{
    const uint64_t bytes = (uint64_t)soc->config.number[SL_CFG_HOST_PRINT_BUFFER];
    if (variable == 0) {
        return SL_OK;
    }
    soc->print = sl_alloc(soc, sizeof *soc->print + bytes, 0);
    if (soc->print == NULL) {
        return SL_ERROR_USAGE;
    }
    soc->print->bytes = bytes;
    *(uint64_t *)(uintptr_t)variable = (uintptr_t)soc->print;
    return SL_OK;
}

void sl_print_detach(struct sl_soc *soc)
{
    sl_free(soc, soc->print);
    soc->print = NULL;
}

void sl_print_begin(struct sl_soc *soc)
{
    struct sl_print_buffer *const buffer = soc->print;
    if (buffer == NULL) {
        return;
    }
    const uint64_t used = buffer->tail < buffer->bytes ? buffer->tail : buffer->bytes;
    memset(buffer + 1, 0, used);
    buffer->tail = 0;
    buffer->lost = 0;
    soc->print_shown = 0;
}

static FILE *stream_of(const struct sl_soc *soc)
{
    return soc->print_stream != NULL ? soc->print_stream : stderr;
}

/* Shows the next record. Returns false where there is none, or it is not finished. */
static bool show_next(struct sl_soc *soc, uint64_t limit)
{
    const struct sl_print_memory memory = {soc->layout.dram_limit - soc->layout.dram_bytes,
                                           soc->layout.top_base};
    const char *const data = (const char *)(soc->print + 1);
    const struct sl_print_record *const record =
        (const struct sl_print_record *)(const void *)(data + soc->print_shown);
    const uint64_t left = limit - soc->print_shown;
    if (left < sizeof *record) {
        return false;
    }
    const uint64_t ready = __atomic_load_n(&record->ready, __ATOMIC_ACQUIRE);
    if (ready == 0 || ready > SL_PRINT_ARGUMENTS + 1 ||
        left < sizeof *record + (ready - 1) * sizeof(uint64_t)) {
        return false;
    }
    sl_print_format(stream_of(soc), &memory, record->format, (const uint64_t *)(record + 1),
                    ready - 1);
    soc->print_shown += sizeof *record + (ready - 1) * sizeof(uint64_t);
    return true;
}

void sl_print_show(struct sl_soc *soc, bool is_end)
{
    const struct sl_print_buffer *const buffer = soc->print;
    if (buffer == NULL) {
        return;
    }
    const uint64_t tail = __atomic_load_n(&buffer->tail, __ATOMIC_RELAXED);
    const uint64_t limit = tail < buffer->bytes ? tail : buffer->bytes;
    bool is_shown = false;
    while (show_next(soc, limit)) {
        is_shown = true;
    }
    if (is_end && buffer->lost > 0) {
        char setting[64];
        sl_config_format(SL_CFG_HOST_PRINT_BUFFER, &soc->config, setting, sizeof setting);
        (void)fprintf(stream_of(soc),
                      "(%" PRIu64 " calls of sl_printf lost: host.print_buffer of %s is full)\n",
                      buffer->lost, setting);
    }
    if (is_shown) {
        (void)fflush(stream_of(soc));
    }
}

void sl_soc_print_to(struct sl_soc *soc, FILE *stream)
{
    soc->print_stream = stream;
}
