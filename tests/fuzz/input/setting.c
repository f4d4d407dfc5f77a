/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A setting as `--set` takes it, section.key=value. Where it is refused nothing has changed. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/input/input.h"
#include "sluice/config.h"

int input_setting(const uint8_t *data, size_t bytes)
{
    char *const setting = strndup((const char *)data, bytes);
    struct sl_config before;
    struct sl_config config;
    char error[512] = "";

    input_check(setting != NULL);
    sl_config_init(&before);
    config = before;
    if (sl_config_set(&config, setting, error, sizeof error) != 0) {
        input_check(error[0] != '\0');
        input_check(memcmp(&config, &before, sizeof config) == 0);
    } else {
        (void)sl_config_check(&config, error, sizeof error);
    }
    free(setting);
    return 0;
}
