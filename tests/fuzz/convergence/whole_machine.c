/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "fuzz/convergence/whole_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/sluice.h"

struct whole_machine {
    const struct expectations *all;
    struct sl_soc *soc;
    struct sl_module *module;
    uint32_t *input, *memory, *out;
};

static uint32_t *take(struct whole_machine *machine, uint32_t words)
{
    return sl_alloc(machine->soc, words * sizeof(uint32_t), 0);
}

/* Returns whether all is there; else sl_soc_error() says what is not. */
static bool prepare(struct whole_machine *machine, const char *path)
{
    const uint32_t items = machine->all->items;

    if (sl_module_load(machine->soc, path, &machine->module) != SL_OK) {
        return false;
    }
    machine->input = take(machine, items);
    machine->memory = take(machine, items * MEMORY_WORDS);
    machine->out = take(machine, items);
    if (machine->input == NULL || machine->memory == NULL || machine->out == NULL) {
        return false;
    }
    memcpy(machine->input, machine->all->input, items * sizeof(uint32_t));
    return true;
}

struct whole_machine *whole_machine_open(const char *path, const struct expectations *all,
                                         char *error, size_t bytes)
{
    struct sl_config config;
    struct whole_machine *const machine = calloc(1, sizeof *machine);

    if (machine == NULL) {
        (void)snprintf(error, bytes, "out of memory");
        return NULL;
    }
    machine->all = all;
    sl_config_init(&config);
    if (sl_config_set(&config, "gpu.cycle_limit=20000000", error, bytes) != 0) {
        free(machine);
        return NULL;
    }
    if (sl_soc_open(&config, &machine->soc) != SL_OK || !prepare(machine, path)) {
        (void)snprintf(error, bytes, "%s", sl_soc_error(machine->soc));
        whole_machine_close(machine);
        return NULL;
    }
    return machine;
}

void whole_machine_close(struct whole_machine *machine)
{
    sl_soc_close(machine->soc);
    free(machine);
}

const uint32_t *whole_machine_run(struct whole_machine *machine, const char *name, char *error,
                                  size_t bytes)
{
    const uint32_t items = machine->all->items;
    const struct sl_launch_step step = {
        .kernel = name,
        .grid = {items, 1, 1},
        .group = {GROUP_ITEMS, 1, 1},
        .argument_count = 3,
        .argument = {(uintptr_t)machine->input, (uintptr_t)machine->memory,
                     (uintptr_t)machine->out},
    };

    memset(machine->memory, 0, (size_t)items * MEMORY_WORDS * sizeof(uint32_t));
    memset(machine->out, 0, items * sizeof(uint32_t));
    if (sl_launch_sequence(machine->module, &step, 1, 0, 0, NULL) != SL_OK ||
        sl_soc_wait(machine->soc, -1) != SL_OK) {
        (void)snprintf(error, bytes, "%s", sl_soc_error(machine->soc));
        return NULL;
    }
    return machine->out;
}
