/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locks per lane: cases (locks.h), chosen by name, each with N items that run on the machine and in
 * plain C, which have to come to the same. Its kernels are locks_kernel.c. */
#include "probes/locks/locks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/launches.h"

#define ITEMS_DEFAULT 1024
#define ITEMS_MAX     1048576
#define GROUP         256
#define KERNEL_BYTES  64

struct lock_case {
    const char *name;
    void (*run)(struct locks_data *data, uint32_t item);
};

#define LOCK_CASE(name) {#name, locks_case_##name},
static const struct lock_case all[] = {LOCKS_CASES(LOCK_CASE)};

#define CASES (sizeof all / sizeof all[0])

struct arguments {
    uint32_t items;
    size_t chosen[CASES];
    size_t count; /* of those chosen */
    size_t rights;
};

enum { KEY_LIST = 256 };

static const struct argp_option option_table[] = {
    {"items", 'i', "N", 0, "Items of a case, from 1 to 1048576 (default 1024)", 0},
    {"list", KEY_LIST, NULL, 0, "Print the names of all cases and exit", 0},
    {0},
};

static void choose(struct arguments *arguments, const char *name, struct argp_state *state)
{
    for (size_t i = 0; i < CASES; i++) {
        if (strcmp(all[i].name, name) != 0) {
            continue;
        }
        if (arguments->count == CASES) {
            argp_error(state, "CASE '%s' is one too many: there are %zu", name, CASES);
        }
        arguments->chosen[arguments->count++] = i;
        return;
    }
    argp_error(state, "CASE '%s' is none; --list prints all", name);
}

static void choose_all(struct arguments *arguments)
{
    for (size_t i = 0; i < CASES; i++) {
        arguments->chosen[arguments->count++] = i;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    switch (key) {
    case 'i':
        arguments->items = sl_app_number(state, "--items", argument, 1, ITEMS_MAX);
        return 0;
    case KEY_LIST:
        for (size_t i = 0; i < CASES; i++) {
            puts(all[i].name);
        }
        exit(0);
    case ARGP_KEY_ARG:
        choose(arguments, argument, state);
        return 0;
    case ARGP_KEY_NO_ARGS:
        choose_all(arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[CASE...]",
    .doc =
        "Run cases of locks on the simulated accelerator, all of them by default, and check what "
        "their lanes have added up.\vThe result is the number of cases that are right.",
};

static size_t bytes_of(uint32_t items)
{
    return sizeof(struct locks_data) + items * sizeof(uint32_t);
}

static void begin(struct locks_data *data, uint32_t items)
{
    memset(data, 0, bytes_of(items));
    for (uint32_t i = 0; i < LOCKS_CELLS; i++) {
        data->cells[i].lock = sl_lock_init();
    }
}

/* Says what differs first. */
static bool is_same(const char *name, const struct locks_data *is, const struct locks_data *should,
                    uint32_t items)
{
    for (uint32_t i = 0; i < LOCKS_CELLS; i++) {
        const struct locks_cell *a = &is->cells[i];
        const struct locks_cell *b = &should->cells[i];
        if (a->lock.holder != b->lock.holder || a->value != b->value || a->other != b->other) {
            (void)fprintf(
                stderr,
                "locks: wrong: %s: cell %" PRIu32 " has holder %" PRId32 ", value %" PRIu32
                ", other %" PRIu32 "; should have %" PRId32 ", %" PRIu32 ", %" PRIu32 "\n",
                name, i, a->lock.holder, a->value, a->other, b->lock.holder, b->value, b->other);
            return false;
        }
    }
    for (uint32_t i = 0; i < items; i++) {
        if (is->turns[i] != should->turns[i]) {
            (void)fprintf(stderr,
                          "locks: wrong: %s: item %" PRIu32 " has %" PRIu32 "; should have %" PRIu32
                          "\n",
                          name, i, is->turns[i], should->turns[i]);
            return false;
        }
    }
    return true;
}

static enum sl_status run_case(struct sl_soc *soc, struct sl_module *module,
                               const struct lock_case *one, struct locks_data *data,
                               struct arguments *arguments)
{
    const uint64_t constants[] = {(uintptr_t)data};
    char kernel[KERNEL_BYTES];

    begin(data, arguments->items);
    (void)snprintf(kernel, sizeof kernel, "%s_kernel", one->name);
    const enum sl_status status =
        launch_and_wait(soc, module, kernel, arguments->items, GROUP, 0, constants, 1);
    struct locks_data *should = malloc(bytes_of(arguments->items));
    if (status == SL_OK && should != NULL) {
        begin(should, arguments->items);
        for (uint32_t i = 0; i < arguments->items; i++) {
            one->run(should, i);
            should->turns[i]++;
        }
        arguments->rights += is_same(one->name, data, should, arguments->items);
    }
    free(should);
    return status;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "locks.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    struct locks_data *const data = sl_alloc(soc, bytes_of(arguments->items), 0);
    if (data == NULL) {
        return SL_ERROR_USAGE;
    }
    for (size_t i = 0; i < arguments->count && status == SL_OK; i++) {
        status = run_case(soc, module, &all[arguments->chosen[i]], data, arguments);
    }
    if (status == SL_OK) {
        sl_app_result("locks(%zu) = %zu", arguments->count, arguments->rights);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return arguments->rights == arguments->count;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.items = ITEMS_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
