/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Formats as kernels write them: each conversion is taken apart and given to the host's own printf,
 * with the width of its argument as it was on the device. */
#include "host/observation/print.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

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
