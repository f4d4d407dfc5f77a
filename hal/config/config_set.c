/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Values: all at their defaults, one assigned, one set from text. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "config/config_internal.h"
#include "sluice/config.h"

void sl_config_init(struct sl_config *config)
{
    memset(config, 0, sizeof *config);
    for (int key = 0; key < SL_CFG_COUNT; key++) {
        config->number[key] = sl_config_table[key].initial;
        snprintf(config->text[key], sizeof config->text[key], "%s",
                 sl_config_table[key].initial_text);
    }
    sl_config_apply_presets(config);
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

    char name[SL_CONFIG_KEY_MAX];
    char value[SL_CONFIG_TEXT_MAX];
    char message[256];
    const bool is_short = copy_trimmed(name, sizeof name, setting, equals);
    const int key = is_short ? sl_config_find(name) : -1;
    int status;
    if (key < 0) {
        char written[SL_CONFIG_KEY_MAX];
        snprintf(written, sizeof written, "%.*s", (int)(equals - setting), setting);
        status = sl_config_fail_key(written, equals - setting < SL_CONFIG_KEY_MAX ? name : NULL,
                                    message, sizeof message);
    } else if (!copy_trimmed(value, sizeof value, equals + 1, setting + strlen(setting))) {
        status = sl_config_fail(message, sizeof message, "value longer than %d characters",
                                SL_CONFIG_TEXT_MAX - 1);
    } else {
        status = sl_config_assign(config, (enum sl_config_key)key, value, "--set", message,
                                  sizeof message);
    }
    return status == 0 ? 0
                       : sl_config_fail(error, error_bytes, "--set %s: %s", quoted.text, message);
}
