/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What --help says of options and arguments: sentences, ranges, defaults. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "config/number.h"
#include "host/base/text.h"
#include "host/runtime/program/arguments.h"

bool sl_argument_is_positional(const struct sl_argument *row)
{
    return isupper((unsigned char)row->name[0]) || sl_argument_is_optional(row);
}

bool sl_argument_is_optional(const struct sl_argument *row)
{
    return row->name[0] == '[';
}

bool sl_argument_repeats(const struct sl_argument *row)
{
    return strstr(row->name, "...") != NULL;
}

const char *sl_argument_name(const struct sl_argument *row, char out[SL_HELP_BYTES])
{
    if (sl_argument_is_positional(row)) {
        const char *const name = row->name + strspn(row->name, "[");
        (void)snprintf(out, SL_HELP_BYTES, "%.*s", (int)strcspn(name, "].:"), name);
    } else {
        (void)snprintf(out, SL_HELP_BYTES, "--%s", row->name);
    }
    return out;
}

/* "1 to 9", or nothing where any number is right. */
static void append_range(const struct sl_argument *row, const char *from, char out[SL_HELP_BYTES])
{
    char least[SL_SIZE_TEXT_BYTES];
    char most[SL_SIZE_TEXT_BYTES];
    const uint64_t largest = row->kind != SL_REAL ? sl_argument_largest(row) : 0;
    switch (row->kind) {
    case SL_NUMBER:
    case SL_POWER_OF_TWO:
        if (largest < UINT32_MAX) {
            sl_text_append(out, SL_HELP_BYTES, "%s%.0Lf to %llu", from, row->minimum,
                           (unsigned long long)largest);
        }
        return;
    case SL_SIZE:
        sl_text_append(out, SL_HELP_BYTES, "%s%s to %s", from,
                       sl_argument_size((uint64_t)row->minimum, least),
                       sl_argument_size(largest, most));
        return;
    case SL_REAL:
        (void)sl_number_format(least, sizeof least, "%Lg", row->minimum);
        (void)sl_number_format(most, sizeof most, "%Lg", row->maximum);
        sl_text_append(out, SL_HELP_BYTES, "%s%s to %s", from, least, most);
        return;
    default:
        return;
    }
}

/* Nothing where there is none: a number that the row would not allow stands for none. */
static void append_default(const struct sl_argument *row, const void *field, const char *before,
                           const char *behind, char out[SL_HELP_BYTES])
{
    char text[SL_WORDS_BYTES] = "";
    switch (row->kind) {
    case SL_NUMBER:
    case SL_POWER_OF_TWO:
    case SL_SIZE:
    case SL_SEED: {
        const uint64_t value = sl_argument_load(row, field);
        if (value < row->minimum || value > sl_argument_largest(row)) {
            return;
        }
        (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
        if (row->kind == SL_SIZE) {
            (void)sl_argument_size(value, text);
        }
        break;
    }
    case SL_REAL:
        (void)sl_number_format(text, sizeof text, "%g", *(const double *)field);
        break;
    case SL_CHOICE: {
        const char *word = row->words;
        for (uint64_t left = sl_argument_load(row, field); left > 0; left--) {
            word += strcspn(word, "|") + 1;
        }
        (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(word, "|"), word);
        break;
    }
    case SL_INPUT:
    case SL_OUTPUT:
    case SL_TEXT:
        if (*(const char *const *)field == NULL) {
            return;
        }
        (void)snprintf(text, sizeof text, "%s", *(const char *const *)field);
        break;
    case SL_FLAG:
    case SL_TAKE:
        return;
    }
    sl_text_append(out, SL_HELP_BYTES, "%s%s%s", before, text, behind);
}

const char *sl_argument_help(const struct sl_argument *row, const void *field,
                             char out[SL_HELP_BYTES])
{
    const char *const tail = strstr(row->help, " (default");
    const size_t length = tail != NULL ? (size_t)(tail - row->help) : strlen(row->help);

    (void)snprintf(out, SL_HELP_BYTES, "%.*s", (int)length, row->help);
    if (row->kind == SL_POWER_OF_TWO) {
        append_range(row, ", a power of two from ", out);
    } else {
        append_range(row, ", ", out);
    }
    sl_text_append(out, SL_HELP_BYTES, "%s", row->help + length);
    if (strstr(row->help, "default") == NULL) {
        append_default(row, field, " (default ", ")", out);
    }
    return out;
}

const char *sl_argument_value(const struct sl_argument *row, char out[SL_HELP_BYTES])
{
    char list[SL_WORDS_BYTES];
    out[0] = '\0';
    switch (row->kind) {
    case SL_POWER_OF_TWO:
        append_range(row, "a power of two from ", out);
        break;
    case SL_CHOICE:
        sl_text_append(out, SL_HELP_BYTES, "one of %s", sl_argument_words(row->words, list));
        break;
    case SL_SIZE:
        append_range(row, "a size from ", out);
        break;
    default:
        append_range(row, "a number from ", out);
        break;
    }
    return out;
}

const char *sl_argument_sentence(const struct sl_argument *row, const void *field,
                                 char out[SL_HELP_BYTES])
{
    char name[SL_HELP_BYTES];
    char value[SL_HELP_BYTES];
    const char *const number = "a number ";
    const char *is = sl_argument_value(row, value);

    out[0] = '\0';
    if (is[0] == '\0') {
        return out;
    }
    is += strncmp(is, number, strlen(number)) == 0 ? strlen(number) : 0;
    sl_text_append(out, SL_HELP_BYTES, "%s is %s", sl_argument_name(row, name), is);
    if (sl_argument_is_optional(row)) {
        append_default(row, field, ", ", " where it is not given", out);
    }
    sl_text_append(out, SL_HELP_BYTES, ". ");
    return out;
}
