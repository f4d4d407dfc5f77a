/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Several runs of each point: they differ in the seed of random delays of DRAM, where they do. */
#define _GNU_SOURCE 1
#include <stdbool.h>
#include <string.h>

#include "sluice/mem_systems.h"
#include "sweep/sweep.h"

#define JITTER_KEY "mem.jitter"

/* The number of a key in an array of texts, or its size. */
static size_t index_of(const json_t *keys, const char *wanted)
{
    size_t i;
    const json_t *key;

    json_array_foreach(keys, i, key)
    {
        if (strcmp(json_string_value(key), wanted) == 0) {
            return i;
        }
    }
    return json_array_size(keys);
}

bool sweep_is_varied(const struct sweep_request *request, const char *wanted)
{
    size_t i;
    const json_t *one;

    json_array_foreach(request->varied, i, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "key")), wanted) == 0) {
            return true;
        }
    }
    return false;
}

void sweep_base_machine(const struct sweep_request *request, struct sl_config *config)
{
    char error[512];
    size_t i;
    const json_t *text;

    sl_config_init(config);
    json_array_foreach(request->configs, i, text)
    {
        (void)sl_config_read(config, json_string_value(text), error, sizeof error);
    }
    json_array_foreach(request->settings, i, text)
    {
        (void)sl_config_set(config, json_string_value(text), error, sizeof error);
    }
}

static bool has_jitter(const struct sweep_request *request)
{
    static struct sl_config config;

    sweep_base_machine(request, &config);
    return config.number[SL_CFG_MEM_JITTER] > 0;
}

bool sweep_add_seeds(struct sweep_request *request, unsigned seeds)
{
    const bool is_off = !sweep_is_varied(request, JITTER_KEY) && !has_jitter(request);
    json_t *const values = json_array();

    for (unsigned seed = 1; seed <= seeds; seed++) {
        json_array_append_new(values, json_sprintf("%u", seed));
    }
    (void)sweep_add_varied(request->varied, SWEEP_JITTER_SEED, values);
    if (is_off) {
        json_array_insert_new(request->settings, 0, json_string(SWEEP_JITTER));
    }
    return is_off && has_jitter(request);
}

/* Why the seed has no effect on a machine, or NULL. */
static const char *why_alike(const struct sl_config *config)
{
    if (config->number[SL_CFG_MEM_SYSTEM] == SL_MEM_SYSTEM_FLAT) {
        return "mem.system = flat has no DRAM";
    }
    return config->number[SL_CFG_MEM_JITTER] == 0 ? "mem.jitter is 0" : NULL;
}

/* Whether the plan has a run with another seed than the first one. */
static bool has_several(const json_t *runs, size_t key)
{
    const json_t *const first = json_object_get(json_array_get(runs, 0), "values");
    size_t i;
    const json_t *run;

    json_array_foreach(runs, i, run)
    {
        if (!json_equal(json_array_get(json_object_get(run, "values"), key),
                        json_array_get(first, key))) {
            return true;
        }
    }
    return false;
}

void sweep_warn_of_seeds(const struct cli_command *command, const json_t *plan)
{
    static struct sl_config config;
    const json_t *const keys = json_object_get(plan, "keys");
    const json_t *const runs = json_object_get(plan, "runs");
    const size_t key = index_of(keys, SWEEP_JITTER_SEED);
    const char *first = NULL;
    size_t alike = 0;
    size_t i;
    const json_t *run;

    if (key == json_array_size(keys) || !has_several(runs, key)) {
        return;
    }
    json_array_foreach(runs, i, run)
    {
        sweep_machine(json_object_get(run, "words"), &config);
        const char *const why = why_alike(&config);
        first = first == NULL ? why : first;
        alike += why != NULL;
    }
    if (alike > 0) {
        (void)cli_fail(command, CLI_DONE,
                       "warning: the seed changes nothing in %zu of %zu runs: %s", alike,
                       json_array_size(runs), first);
    }
}
