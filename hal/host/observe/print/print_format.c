/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Formats as kernels write them: each conversion is taken apart and given to the host's own printf,
 * with the width of its argument as it was on the device. Formats and strings are copied before
 * they are looked at: lanes may write to them meanwhile. */
#include "host/observe/print/print.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "config/number.h"
#include "sluice/print.h"

#define FLAGS      "-+ #0"
#define NUMBER_MAX 9999 /* of a width or a precision */

/* One conversion of a format: "%-8.3lx". */
struct specification {
    char flags[sizeof FLAGS]; /* each once */
    int width;
    int precision;   /* -1: none */
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

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void add_flag(struct specification *spec, char flag)
{
    const size_t count = strlen(spec->flags);
    if (strchr(spec->flags, flag) == NULL) {
        spec->flags[count] = flag;
        spec->flags[count + 1] = '\0';
    }
}

/* A width or a precision: digits, or '*' for an argument, between -NUMBER_MAX and NUMBER_MAX. */
static int read_number(struct reader *reader)
{
    uint64_t argument = 0;
    int number = 0;

    if (peek(reader) == '*') {
        reader->at++;
        (void)take_argument(reader, &argument);
        number = (int)argument;
    } else {
        for (; is_digit(peek(reader)); reader->at++) {
            number = number > NUMBER_MAX ? number : number * 10 + (peek(reader) - '0');
        }
    }
    return number > NUMBER_MAX ? NUMBER_MAX : number < -NUMBER_MAX ? -NUMBER_MAX : number;
}

/* Flags, width, precision and length, in this order. */
static struct specification read_shape(struct reader *reader)
{
    struct specification spec = {.precision = -1};

    while (peek(reader) != '\0' && strchr(FLAGS, peek(reader)) != NULL) {
        add_flag(&spec, *reader->at++);
    }
    spec.width = read_number(reader);
    if (peek(reader) == '.') {
        reader->at++;
        spec.precision = read_number(reader);
    }
    while (peek(reader) != '\0' && sl_print_is_length(peek(reader))) {
        const char c = *reader->at++;
        spec.shorts += c == 'h';
        spec.longs += c == 'h' ? 0 : c == 'l' ? 1 : 2;
    }
    return spec;
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

/* The host's own format: it takes a width below zero as flag '-', a precision below zero as none.
 */
struct host_format {
    char text[32];
};

static struct host_format host_format(const struct specification *spec, const char *conversion)
{
    struct host_format format;
    (void)snprintf(format.text, sizeof format.text, "%%%s*.*%s", spec->flags, conversion);
    return format;
}

static void print_integer(const struct reader *reader, const struct specification *spec,
                          uint64_t value)
{
    const char conversion[] = {'j', spec->conversion, '\0'};
    const struct host_format format = host_format(spec, conversion);
    const bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';
    (void)fprintf(reader->out, format.text, spec->width, spec->precision,
                  (uintmax_t)narrowed(spec, value, is_signed));
}

static void print_real(const struct reader *reader, const struct specification *spec,
                       uint64_t value)
{
    const char conversion[] = {spec->conversion, '\0'};
    const struct host_format format = host_format(spec, conversion);
    double real;
    memcpy(&real, &value, sizeof real);
    (void)sl_number_write(reader->out, format.text, spec->width, spec->precision, real);
}

static void print_character(const struct reader *reader, const struct specification *spec,
                            uint64_t value)
{
    const struct host_format format = host_format(spec, "c");
    (void)fprintf(reader->out, format.text, spec->width, -1, (int)value);
}

static void print_pointer(const struct reader *reader, const struct specification *spec,
                          uint64_t value)
{
    char text[32];
    const int width =
        strchr(spec->flags, '-') != NULL && spec->width > 0 ? -spec->width : spec->width;
    (void)snprintf(text, sizeof text, "0x%" PRIx64, value);
    (void)fprintf(reader->out, "%*s", width, text);
}

static void print_string(const struct reader *reader, const struct specification *spec,
                         uint64_t address)
{
    const struct host_format format = host_format(spec, "s");
    char *const text = copy_text(reader->memory, address);
    if (text == NULL) {
        (void)fprintf(reader->out, "(no string in shared memory: 0x%" PRIx64 ")", address);
        return;
    }
    (void)fprintf(reader->out, format.text, spec->width, spec->precision, text);
    free(text);
}

static void print_value(const struct reader *reader, const struct specification *spec,
                        uint64_t value)
{
    static const struct {
        const char *conversions;
        void (*print)(const struct reader *reader, const struct specification *spec,
                      uint64_t value);
    } kinds[] = {{"diuoxX", print_integer},
                 {"aAeEfFgG", print_real},
                 {"c", print_character},
                 {"p", print_pointer},
                 {"s", print_string}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strchr(kinds[i].conversions, spec->conversion) != NULL) {
            kinds[i].print(reader, spec, value);
            return;
        }
    }
    (void)fprintf(reader->out, "(%%%c: not a conversion of sl_printf)", spec->conversion);
}

static void print_conversion(struct reader *reader)
{
    struct specification spec = read_shape(reader);
    uint64_t value;
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
                     const uint64_t *arguments, uint64_t count, uint64_t most)
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
    while (peek(&reader) != '\0' && (uint64_t)ftello(out) <= most) {
        const char c = *reader.at++;
        if (c == '%') {
            print_conversion(&reader);
        } else {
            (void)putc(c, out);
        }
    }
    free(copy);
}
