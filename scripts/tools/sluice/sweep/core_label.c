/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What tables and plots call a core. */
#include <stdio.h>
#include <string.h>

#include "sweep/sweep.h"

#define CHANGED " (changed)"

/* Whether a key is of the core's model. */
static bool is_of_core(enum sl_config_key key, const struct sl_config *config)
{
    const bool is_simple = config->number[SL_CFG_CORE_MODEL] == SL_CORE_MODEL_SIMPLE;
    const char *const section = is_simple ? "simple." : "core.";
    return strncmp(sl_config_table[key].key, section, strlen(section)) == 0;
}

/* Whether the base machine gives a built-in core other numbers than its own. */
static bool is_changed(const struct sweep_request *request, const char *core)
{
    static struct sl_config config;
    char setting[64];
    char error[256];

    sweep_base_machine(request, &config);
    (void)snprintf(setting, sizeof setting, "agg.core=%s", core);
    (void)sl_config_set(&config, setting, error, sizeof error);
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        const enum sl_config_key key = (enum sl_config_key)i;
        const struct sl_config_preset *const preset = sl_config_preset_of(&config, key);
        const int64_t own = preset != NULL ? preset->number : sl_config_table[key].initial;
        if (is_of_core(key, &config) && config.number[key] != own) {
            return true;
        }
    }
    return false;
}

void sweep_core_label(const struct sweep_request *request, const char *core, char *out,
                      size_t bytes)
{
    (void)snprintf(out, bytes, "%s%s", core, is_changed(request, core) ? CHANGED : "");
}
