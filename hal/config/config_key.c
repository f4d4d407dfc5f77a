/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Keys by name: finding one, suggesting one for a name that is none, setting one. */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "config/config_internal.h"
#include "config/nearest.h"

#define KEY_MAX 128

int sl_config_fail(char *error, size_t error_bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, error_bytes, format, arguments);
    va_end(arguments);
    return -1;
}

struct sl_quoted sl_config_quote(const char *text)
{
    static const char dots[] = "...";
    struct sl_quoted quoted;
    size_t room = sizeof quoted.text - sizeof dots;
    size_t length = 0;
    for (; text[length] != '\0' && length < room; length++) {
        unsigned char c = (unsigned char)text[length];
        quoted.text[length] = c < 0x20 || c == 0x7f ? '?' : text[length];
    }
    memcpy(quoted.text + length, text[length] == '\0' ? "" : dots,
           text[length] == '\0' ? 1 : sizeof dots);
    return quoted;
}

int sl_config_find(const char *key)
{
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        if (strcmp(sl_config_table[i].key, key) == 0) {
            return i;
        }
    }
    return -1;
}

int sl_config_section_length(const char *key)
{
    const char *dot = strchr(key, '.');
    return dot == NULL ? 0 : (int)(dot - key);
}

const char *sl_config_key_name(const char *key)
{
    const char *dot = strchr(key, '.');
    return dot == NULL ? key : dot + 1;
}

int sl_config_is_section(const char *section)
{
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        size_t length = (size_t)sl_config_section_length(sl_config_table[i].key);
        if (strlen(section) == length && memcmp(section, sl_config_table[i].key, length) == 0) {
            return 1;
        }
    }
    return 0;
}

/* A key may be misspelt, or be right but for its section, or both. The right name in the wrong
 * section counts as two edits, so that `gpu.cu` is rather gpu.cus than flat.cu. */
const char *sl_config_suggest_key(const char *key)
{
    size_t whole_limit = strlen(key) / 3;
    size_t name_limit = strlen(sl_config_key_name(key)) / 4;
    const char *nearest = NULL;
    size_t smallest = SL_NEAREST_MAX;
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        const char *candidate = sl_config_table[i].key;
        size_t whole = sl_edit_distance(key, candidate);
        size_t name = sl_edit_distance(sl_config_key_name(key), sl_config_key_name(candidate));
        if (whole <= whole_limit && whole < smallest) {
            nearest = candidate;
            smallest = whole;
        }
        if (name <= name_limit && 2 + 2 * name < smallest) {
            nearest = candidate;
            smallest = 2 + 2 * name;
        }
    }
    return nearest;
}

const char *sl_config_suggest_section(const char *section)
{
    static const size_t limit = 2;
    const char *nearest = NULL;
    size_t smallest = strlen(section) > limit ? limit + 1 : 2;
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        char candidate[KEY_MAX];
        snprintf(candidate, sizeof candidate, "%.*s",
                 sl_config_section_length(sl_config_table[i].key), sl_config_table[i].key);
        size_t distance = sl_edit_distance(section, candidate);
        if (distance < smallest) {
            nearest = sl_config_table[i].key;
            smallest = distance;
        }
    }
    return nearest;
}

int sl_config_assign(struct sl_config *config, enum sl_config_key key, const char *value,
                     const char *source, char *error, size_t error_bytes)
{
    char message[256];
    int64_t number = 0;
    if (sl_config_parse(key, value, &number, message, sizeof message) != 0) {
        return sl_config_fail(error, error_bytes, "%s: %s", sl_config_table[key].key, message);
    }
    if (sl_config_table[key].type == SL_CONFIG_TYPE_TEXT) {
        snprintf(config->text[key], sizeof config->text[key], "%s", value);
    } else {
        config->number[key] = number;
    }
    snprintf(config->source[key], sizeof config->source[key], "%s", source);
    sl_config_apply_presets(config);
    return 0;
}

/* The text from first up to limit, without the space around it. False where it is too long. */
static bool copy_trimmed(char *out, size_t bytes, const char *first, const char *limit)
{
    while (first < limit && isspace((unsigned char)*first)) {
        first++;
    }
    while (limit > first && isspace((unsigned char)limit[-1])) {
        limit--;
    }
    if ((size_t)(limit - first) >= bytes) {
        return false;
    }
    memcpy(out, first, (size_t)(limit - first));
    out[limit - first] = '\0';
    return true;
}

int sl_config_set(struct sl_config *config, const char *setting, char *error, size_t error_bytes)
{
    struct sl_quoted quoted = sl_config_quote(setting);
    const char *equals = strchr(setting, '=');
    if (equals == NULL || equals == setting) {
        return sl_config_fail(error, error_bytes,
                              "--set %s: no setting; it must read section.key=value", quoted.text);
    }

    char name[KEY_MAX];
    int key = -1;
    if (copy_trimmed(name, sizeof name, setting, equals)) {
        key = sl_config_find(name);
    }
    if (key < 0) {
        const char *near = equals - setting < KEY_MAX ? sl_config_suggest_key(name) : NULL;
        snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
        return near == NULL
                   ? sl_config_fail(error, error_bytes,
                                    "--set %s: %s: no such key; docs/configuration.md lists them",
                                    quoted.text, sl_config_quote(name).text)
                   : sl_config_fail(error, error_bytes,
                                    "--set %s: %s: no such key; did you mean %s?", quoted.text,
                                    sl_config_quote(name).text, near);
    }

    char value[SL_CONFIG_TEXT_MAX];
    if (!copy_trimmed(value, sizeof value, equals + 1, setting + strlen(setting))) {
        return sl_config_fail(error, error_bytes, "--set %s: value longer than %d characters",
                              quoted.text, SL_CONFIG_TEXT_MAX - 1);
    }
    char message[256];
    if (sl_config_assign(config, (enum sl_config_key)key, value, "--set", message,
                         sizeof message) != 0) {
        return sl_config_fail(error, error_bytes, "--set %s: %s", quoted.text, message);
    }
    return 0;
}
