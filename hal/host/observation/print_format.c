/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Formats as kernels write them: each conversion is taken apart and given to the host's own printf,
 * with the width of its argument as it was on the device. Formats and strings are copied before
 * they are looked at: lanes may write to them meanwhile. */
#include "host/observation/print.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "config/number.h"
#include "sluice/print.h"

#define SPECIFICATION_BYTES 64
#define NUMBER_DIGITS       4 /* of a width or a precision */
#define NUMBER_MAX          9999

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
    const char *at; /* in the copy of the format */
    const uint64_t *arguments;
    uint64_t count;
    uint64_t next;
};

static char peek(const struct reader *reader)
{
    return *reader->at;
}

/* How many bytes from an address on may be read. */
static uint64_t room_at(const struct sl_print_memory *memory, uint64_t address)
{
    const uint32_t count = memory->table != NULL ? memory->table->count : 0;
    if (address < memory->base || address >= memory->limit) {
        return 0;
    }
    for (uint32_t i = 0; i < count && i < SL_RANGES_MAX; i++) {
        const struct sl_range *const range = &memory->table->range[i];
        if (address - range->base < range->bytes && (range->access & SL_ACCESS_READ) != 0) {
            return range->bytes - (address - range->base);
        }
    }
    return memory->table == NULL ? memory->limit - address : 0;
}

/* A copy of a string in the memory, to be freed; NULL where none is, or the host has no memory. */
static char *copy_text(const struct sl_print_memory *memory, uint64_t address)
{
    const char *const text = (const char *)(uintptr_t)address;
    const uint64_t room = room_at(memory, address);
    if (room == 0) {
        return NULL;
    }
    const size_t most = room < SL_PRINT_TEXT_BYTES ? (size_t)room : SL_PRINT_TEXT_BYTES;
    const size_t bytes = strnlen(text, most);
    char *const copy = bytes < room ? malloc(bytes + 1) : NULL;
    if (copy != NULL) {
        memcpy(copy, text, bytes);
        copy[bytes] = '\0';
    }
    return copy;
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

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* An argument in place of '*'. A precision below zero is none. */
static void append_number(struct specification *spec, int value)
{
    char digits[16];
    if (value < 0 && spec->text[spec->length - 1] == '.') {
        spec->length--;
        return;
    }
    value = value > NUMBER_MAX ? NUMBER_MAX : value < -NUMBER_MAX ? -NUMBER_MAX : value;
    (void)snprintf(digits, sizeof digits, "%d", value);
    for (const char *digit = digits; *digit != '\0'; digit++) {
        append(spec, *digit);
    }
}

/* Flags, width and precision; '*' is replaced by its argument. */
static void read_shape(struct reader *reader, struct specification *spec)
{
    unsigned digits = 0; /* of the number so far, without zeros in front */
    while (peek(reader) != '\0' && strchr("-+ #0123456789.*", peek(reader)) != NULL) {
        const char c = *reader->at++;
        uint64_t value = 0;
        digits = is_digit(c) ? digits + (c != '0' || digits > 0) : 0;
        if (c != '*' && digits <= NUMBER_DIGITS) {
            append(spec, c);
        } else if (c == '*' && take_argument(reader, &value)) {
            append_number(spec, (int)value);
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
    char *const text = copy_text(reader->memory, address);
    if (text == NULL) {
        (void)fprintf(reader->out, "(no string in shared memory: 0x%" PRIx64 ")", address);
        return;
    }
    (void)fprintf(reader->out, spec->text, text);
    free(text);
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
            (void)sl_number_write(reader->out, spec->text, real);
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
    char *const copy = copy_text(memory, format);
    if (copy == NULL) {
        (void)fprintf(out, "(no format in shared memory: 0x%" PRIx64 ")\n", format);
        return;
    }
    struct reader reader = {
        .out = out,
        .memory = memory,
        .at = copy,
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
    free(copy);
}
