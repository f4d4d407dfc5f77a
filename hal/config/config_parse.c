/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Values with units, from text and to text.
 *
 * A number is decimal, with a fraction where a unit makes it whole ("1.5 GHz"), or hexadecimal
 * ("0x10"); its unit follows with or without space. Arithmetic is exact: what does not come out
 * whole in the type's smallest unit is an error. Sizes without a unit are bytes; times and
 * frequencies must have one, but for zero. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "config/config_internal.h"
#include "config/nearest.h"
#include "config/number.h"
#include "config/units.h"
#include "sluice/config.h"

void sl_config_format(enum sl_config_key key, const struct sl_config *config, char *out,
                      size_t bytes)
{
    const struct sl_config_entry *entry = &sl_config_table[key];
    switch (entry->type) {
    case SL_CONFIG_TYPE_TEXT:
        snprintf(out, bytes, "%s", config->text[key]);
        break;
    case SL_CONFIG_TYPE_CHOICE:
        if (!sl_config_choice(entry->choices, config->number[key], out, bytes)) {
            snprintf(out, bytes, "%lld", (long long)config->number[key]);
        }
        break;
    default:
        sl_config_format_number(key, config->number[key], out, bytes);
        break;
    }
}

void sl_config_tell(enum sl_config_key key, const struct sl_config *config, char *out, size_t bytes)
{
    sl_config_format(key, config, out, bytes);
    if (sl_config_table[key].type != SL_CONFIG_TYPE_FREQUENCY) {
        return;
    }
    const uint64_t period_ps = sl_config_period_ps(config, key);
    if (period_ps * (uint64_t)config->number[key] != 1000000000000u) {
        const size_t length = strlen(out);
        sl_number_format(out + length, bytes - length, " (%llu ps: %.3f MHz)",
                         (unsigned long long)period_ps, 1e6 / (double)period_ps);
    }
}

static int parse_choice(const struct sl_config_entry *entry, const char *text, int64_t *number,
                        char *error, size_t error_bytes)
{
    char word[64];
    const char *near = NULL;
    char near_word[64];
    for (int64_t index = 0; sl_config_choice(entry->choices, index, word, sizeof word); index++) {
        if (strcmp(word, text) == 0) {
            *number = index;
            return 0;
        }
        const char *candidate = word;
        if (near == NULL && sl_nearest(text, &candidate, 1) != NULL) {
            memcpy(near_word, word, sizeof word);
            near = near_word;
        }
    }
    struct sl_quoted quoted = sl_config_quote(text);
    const char *what = *text == '\0' ? "no value" : quoted.text;
    const char *is_no_choice = *text == '\0' ? "" : " is no choice";
    if (near != NULL) {
        return sl_config_fail(error, error_bytes, "%s%s; did you mean %s? (choices: %s)", what,
                              is_no_choice, near, entry->choices);
    }
    return sl_config_fail(error, error_bytes, "%s%s; choices: %s", what, is_no_choice,
                          entry->choices);
}

/* What would be right: "1 to 64", "64 MiB to 1 GiB". */
static void format_range(enum sl_config_key key, char *out, size_t bytes)
{
    char least[32];
    char most[32];
    sl_config_format_number(key, sl_config_table[key].least, least, sizeof least);
    sl_config_format_number(key, sl_config_table[key].most, most, sizeof most);
    snprintf(out, bytes, "%s to %s", least, most);
}

/* For a number in range that is no power of two: those beside it. */
static int fail_power(const struct sl_config_entry *entry, const char *quoted, int64_t number,
                      char *error, size_t error_bytes)
{
    int64_t below = 1;
    while (below * 2 < number) {
        below *= 2;
    }
    if (below >= entry->least && below * 2 <= entry->most) {
        return sl_config_fail(error, error_bytes, "%s is no power of two; %lld or %lld", quoted,
                              (long long)below, (long long)(below * 2));
    }
    return sl_config_fail(error, error_bytes, "%s is no power of two; %lld", quoted,
                          (long long)(below >= entry->least ? below : below * 2));
}

/* The scale of the unit in text. Returns 0, or -1 with a message. */
static int parse_unit(enum sl_config_key key, const struct sl_number *number, const char *quoted,
                      uint64_t *scale, char *error, size_t error_bytes)
{
    const struct sl_units *units = sl_units_of(sl_config_table[key].type);
    size_t count = sl_units_count(units);
    char range[80];
    format_range(key, range, sizeof range);
    *scale = 1;
    if (number->rest[0] == '\0') {
        bool zero = number->whole == 0 && number->fraction == 0;
        if (count == 0 || units->unit_is_optional || zero) {
            return 0;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(number->rest, units->unit[i].name) == 0) {
            *scale = units->unit[i].scale;
            return 0;
        }
    }
    if (count == 0) {
        const char *why =
            isalpha((unsigned char)number->rest[0]) ? "has a unit where none fits" : "is no number";
        return sl_config_fail(error, error_bytes, "%s %s; %s", quoted, why, range);
    }
    char list[64];
    sl_units_format(sl_config_table[key].type, list, sizeof list);
    if (number->rest[0] == '\0') {
        return sl_config_fail(error, error_bytes, "%s has no unit; %s", quoted, list);
    }
    return sl_config_fail(error, error_bytes, "%s: %s is no unit of %s; %s", quoted,
                          sl_config_quote(number->rest).text, units->of, list);
}

int sl_config_parse(enum sl_config_key key, const char *text, int64_t *number, char *error,
                    size_t error_bytes)
{
    const struct sl_config_entry *entry = &sl_config_table[key];
    struct sl_quoted quoted = sl_config_quote(text);
    if (entry->type == SL_CONFIG_TYPE_TEXT) {
        return strlen(text) < SL_CONFIG_TEXT_MAX
                   ? 0
                   : sl_config_fail(error, error_bytes, "%s: longer than %d characters",
                                    quoted.text, SL_CONFIG_TEXT_MAX - 1);
    }
    if (entry->type == SL_CONFIG_TYPE_CHOICE) {
        return parse_choice(entry, text, number, error, error_bytes);
    }

    char range[80];
    format_range(key, range, sizeof range);
    struct sl_number written;
    if (*text == '\0') {
        return sl_config_fail(error, error_bytes, "no value; %s", range);
    }
    if (!sl_number_read(text, &written)) {
        return sl_config_fail(error, error_bytes, "%s is no number; %s", quoted.text, range);
    }
    uint64_t scale = 1;
    if (parse_unit(key, &written, quoted.text, &scale, error, error_bytes) != 0) {
        return -1;
    }
    uint64_t value = 0;
    if (!sl_number_scale(&written, scale, &value)) {
        const char *smallest = sl_units_of(entry->type)->unit[0].name;
        return sl_config_fail(error, error_bytes, "%s is no whole number%s%s; %s", quoted.text,
                              smallest == NULL ? "" : " of ", smallest == NULL ? "" : smallest,
                              range);
    }
    bool below = value < (uint64_t)entry->least || (written.negative && value != 0);
    if (written.overflow || below || value > (uint64_t)entry->most) {
        return sl_config_fail(error, error_bytes, "%s is out of range; %s", quoted.text, range);
    }
    if (entry->type == SL_CONFIG_TYPE_POWER && (value & (value - 1)) != 0) {
        return fail_power(entry, quoted.text, (int64_t)value, error, error_bytes);
    }
    *number = (int64_t)value;
    return 0;
}
