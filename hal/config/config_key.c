/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Keys by name: finding one, suggesting one for a name that is none. */
#include <stdio.h>
#include <string.h>

#include "config/config_internal.h"
#include "config/nearest.h"
#include "sluice/config.h"

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

static const char *key_name(const char *key)
{
    const char *dot = strchr(key, '.');
    return dot == NULL ? key : dot + 1;
}

bool sl_config_is_in_section(const char *key, const char *section)
{
    const size_t length = (size_t)sl_config_section_length(key);
    return strlen(section) == length && memcmp(section, key, length) == 0;
}

bool sl_config_is_section(const char *section)
{
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        if (sl_config_is_in_section(sl_config_table[i].key, section)) {
            return true;
        }
    }
    return false;
}

/* A key may be misspelt, or be right but for its section, or both. The right name in the wrong
 * section counts as two edits, so that `gpu.cu` is rather gpu.cus than flat.cu. */
const char *sl_config_suggest_key(const char *key)
{
    size_t whole_limit = strlen(key) / 3;
    size_t name_limit = strlen(key_name(key)) / 4;
    const char *nearest = NULL;
    size_t smallest = SL_NEAREST_MAX;
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        const char *candidate = sl_config_table[i].key;
        size_t whole = sl_edit_distance(key, candidate);
        size_t name = sl_edit_distance(key_name(key), key_name(candidate));
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
        char candidate[SL_CONFIG_KEY_MAX];
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

int sl_config_fail_key(const char *written, const char *name, char *error, size_t error_bytes)
{
    const struct sl_quoted quoted = sl_config_quote(written);
    const char *const near = name != NULL ? sl_config_suggest_key(name) : NULL;
    if (near == NULL) {
        return sl_config_fail(error, error_bytes,
                              "%s: no such key; docs/look-up/configuration.md lists them",
                              quoted.text);
    }
    return sl_config_fail(error, error_bytes, "%s: no such key; did you mean %s?", quoted.text,
                          near);
}
