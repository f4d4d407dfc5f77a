/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a page says of how its runs were made. */
#define _GNU_SOURCE 1
#include "sweep/sweep.h"

/* Every key that is not varied and its value. */
static json_t *machine_of(const struct sweep_request *request, const struct sl_config *config)
{
    json_t *const machine = json_array();
    char value[SL_CONFIG_TEXT_MAX + 32];

    for (int key = 0; key < SL_CFG_COUNT; key++) {
        const char *const name = sl_config_table[key].key;
        if (sl_config_table[key].type != SL_CONFIG_TYPE_TEXT && !sweep_is_varied(request, name)) {
            sl_config_format((enum sl_config_key)key, config, value, sizeof value);
            json_array_append_new(machine, json_pack("[s, s]", name, value));
        }
    }
    return machine;
}

json_t *sweep_provenance(const struct sweep_request *request, json_t *command, unsigned seeds)
{
    static struct sl_config config;
    char jitter[SL_CONFIG_TEXT_MAX + 32];

    sweep_base_machine(request, &config);
    sl_config_format(SL_CFG_MEM_JITTER, &config, jitter, sizeof jitter);
    json_t *const made = json_pack("{s:o, s:s, s:o}", "command", command, "jitter",
                                   config.number[SL_CFG_MEM_JITTER] > 0 ? jitter : "", "machine",
                                   machine_of(request, &config));
    if (seeds > 0) {
        json_object_set_new(made, "seeds", json_integer((json_int_t)seeds));
    }
    return made;
}
