/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Values of options and arguments: from text into fields, or to an end with a message. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/number.h"
#include "config/units.h"
#include "host/base/text.h"
#include "host/runtime/program/arguments.h"
#include "host/runtime/program/outputs.h"

void sl_argument_fail(const char *format, ...)
{
    va_list arguments;

    (void)fflush(stdout);
    (void)fprintf(stderr, "%s: ", program_invocation_short_name);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    exit(SL_APP_USAGE);
}

uint64_t sl_argument_largest(const struct sl_argument *row)
{
    if (row->maximum != 0) {
        return (uint64_t)row->maximum;
    }
    return row->bytes < sizeof(uint64_t) ? (UINT64_C(1) << 8 * row->bytes) - 1 : UINT64_MAX;
}

uint64_t sl_argument_load(const struct sl_argument *row, const void *field)
{
    switch (row->bytes) {
    case sizeof(uint8_t):
        return *(const uint8_t *)field;
    case sizeof(uint16_t):
        return *(const uint16_t *)field;
    case sizeof(uint32_t):
        return *(const uint32_t *)field;
    default:
        return *(const uint64_t *)field;
    }
}

static void store(const struct sl_argument *row, void *field, uint64_t value)
{
    switch (row->bytes) {
    case sizeof(uint8_t):
        *(uint8_t *)field = (uint8_t)value;
        break;
    case sizeof(uint16_t):
        *(uint16_t *)field = (uint16_t)value;
        break;
    case sizeof(uint32_t):
        *(uint32_t *)field = (uint32_t)value;
        break;
    default:
        *(uint64_t *)field = value;
        break;
    }
}

/* ---- numbers ---- */

uint64_t sl_argument_number(const char *what, const char *text, uint64_t least, uint64_t most)
{
    char *end = NULL;
    errno = 0;
    /* Decimal, as in configurations: with base 0, a zero in front would make it octal. */
    const bool is_hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const unsigned long long value = strtoull(text, &end, is_hexadecimal ? 16 : 10);
    const bool is_number = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    if (!is_number || value < least || value > most) {
        sl_argument_fail("%s: '%s' is not a number from %llu to %llu", what, text,
                         (unsigned long long)least, (unsigned long long)most);
    }
    return value;
}

static uint64_t power_of_two(const char *what, const char *text, uint64_t least, uint64_t most)
{
    const uint64_t number = sl_argument_number(what, text, least, most);
    if ((number & (number - 1)) != 0) {
        sl_argument_fail("%s: %s is not a power of two", what, text);
    }
    return number;
}

/* The unit's scale, or 0. */
static uint64_t scale_of(const char *unit)
{
    const struct sl_units *const sizes = sl_units_of(SL_CONFIG_TYPE_BYTES);
    for (size_t i = 0; i < sl_units_count(sizes); i++) {
        if (strcmp(unit, sizes->unit[i].name) == 0) {
            return sizes->unit[i].scale;
        }
    }
    return unit[0] == '\0' ? 1 : 0;
}

static uint64_t size(const char *what, const char *text, uint64_t least, uint64_t most)
{
    struct sl_number number;
    uint64_t bytes = 0;
    const bool is_size =
        sl_number_read(text, &number) && !number.negative && scale_of(number.rest) != 0 &&
        sl_number_scale(&number, scale_of(number.rest), &bytes) && !number.overflow;
    if (!is_size || bytes < least || bytes > most) {
        char range[2][SL_SIZE_TEXT_BYTES];
        sl_argument_fail("%s: '%s' is not a size from %s to %s", what, text,
                         sl_argument_size(least, range[0]), sl_argument_size(most, range[1]));
    }
    return bytes;
}

const char *sl_argument_size(uint64_t bytes, char out[SL_SIZE_TEXT_BYTES])
{
    const struct sl_units *const sizes = sl_units_of(SL_CONFIG_TYPE_BYTES);
    size_t best = sl_units_count(sizes);
    do {
        best--;
    } while (best > 0 && (bytes == 0 || bytes % sizes->unit[best].scale != 0));
    (void)snprintf(out, SL_SIZE_TEXT_BYTES, "%llu %s",
                   (unsigned long long)(bytes / sizes->unit[best].scale), sizes->unit[best].name);
    return out;
}

static double real(const char *what, const char *text, long double least, long double most)
{
    char *end = NULL;
    const double value = sl_number_real(text, &end);

    if (end == text || *end != '\0' || !(value >= least && value <= most)) {
        char range[64];
        (void)sl_number_format(range, sizeof range, "from %Lg to %Lg", least, most);
        sl_argument_fail("%s: '%s' is not a number %s", what, text, range);
    }
    return value;
}

/* ---- words and files ---- */

unsigned sl_argument_choice(const char *what, const char *text, const char *words)
{
    char list[SL_WORDS_BYTES];
    const size_t length = strlen(text);
    const char *const second = strchr(words, '|');
    const char *word = words;
    for (unsigned number = 0;; number++) {
        const size_t word_length = strcspn(word, "|");
        if (word_length == length && strncmp(word, text, length) == 0) {
            return number;
        }
        if (word[word_length] == '\0') {
            break;
        }
        word += word_length + 1;
    }
    if (second != NULL && strchr(second + 1, '|') == NULL) {
        sl_argument_fail("%s: '%s' is neither %.*s nor %s", what, text, (int)(second - words),
                         words, second + 1);
    }
    sl_argument_fail("%s: '%s' is none of %s", what, text, sl_argument_words(words, list));
}

const char *sl_argument_words(const char *words, char list[SL_WORDS_BYTES])
{
    list[0] = '\0';
    for (const char *word = words; *word != '\0';) {
        const size_t length = strcspn(word, "|");
        const bool is_last = word[length] == '\0';
        sl_text_append(list, SL_WORDS_BYTES, "%s%.*s",
                       word == words ? ""
                       : is_last     ? " and "
                                     : ", ",
                       (int)length, word);
        word += length + (is_last ? 0 : 1);
    }
    return list;
}

static const char *input(const char *what, const char *path)
{
    if (access(path, R_OK) != 0) {
        sl_argument_fail("%s: cannot read '%s': %s", what, path, strerror(errno));
    }
    return path;
}

/* ---- rows ---- */

void sl_argument_read(const struct sl_argument *row, const char *what, const char *text,
                      void *field)
{
    const uint64_t least = (uint64_t)row->minimum;
    switch (row->kind) {
    case SL_NUMBER:
    case SL_SEED:
        store(row, field, sl_argument_number(what, text, least, sl_argument_largest(row)));
        return;
    case SL_POWER_OF_TWO:
        store(row, field, power_of_two(what, text, least, sl_argument_largest(row)));
        return;
    case SL_SIZE:
        store(row, field, size(what, text, least, sl_argument_largest(row)));
        return;
    case SL_REAL:
        *(double *)field = real(what, text, row->minimum, row->maximum);
        return;
    case SL_CHOICE:
        store(row, field, sl_argument_choice(what, text, row->words));
        return;
    case SL_FLAG:
        if (row->take != NULL) {
            break;
        }
        store(row, field, row->maximum != 0 ? (uint64_t)row->maximum : 1);
        return;
    case SL_INPUT:
        *(const char **)field = input(what, text);
        return;
    case SL_OUTPUT:
        sl_app_check_output(what, text);
        *(const char **)field = text;
        return;
    case SL_TEXT:
        *(const char **)field = text;
        return;
    case SL_TAKE:
        break;
    }
    row->take(what, text, field);
}
