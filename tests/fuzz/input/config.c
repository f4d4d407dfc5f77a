/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A configuration file, which is read over the defaults. What is read can be written as settings,
 * and is then the same. */
#include <stdio.h>
#include <string.h>

#include "fuzz/input/input.h"
#include "sluice/config.h"

/* Texts may be too long for a line, or have quotes in them. */
static void check_written(const struct sl_config *config)
{
    char setting[SL_CONFIG_TEXT_MAX + 128];
    char value[SL_CONFIG_TEXT_MAX + 32];
    char error[512];

    for (int key = 0; key < SL_CFG_COUNT; key++) {
        if (config->source[key][0] == '\0' || sl_config_table[key].type == SL_CONFIG_TYPE_TEXT) {
            continue;
        }
        struct sl_config again = *config;
        sl_config_tell((enum sl_config_key)key, config, value, sizeof value);
        sl_config_format((enum sl_config_key)key, config, value, sizeof value);
        (void)snprintf(setting, sizeof setting, "%s=%s", sl_config_table[key].key, value);
        input_check(sl_config_set(&again, setting, error, sizeof error) == 0);
        input_check(again.number[key] == config->number[key]);
    }
}

int input_config(const uint8_t *data, size_t bytes)
{
    struct input_file file = input_file_open(data, bytes);
    struct sl_config config;
    char error[512] = "";

    sl_config_init(&config);
    if (sl_config_read(&config, file.path, error, sizeof error) != 0) {
        input_check(error[0] != '\0');
    } else {
        (void)sl_config_check(&config, error, sizeof error);
        check_written(&config);
    }
    input_file_close(&file);
    return 0;
}
