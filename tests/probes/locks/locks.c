/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locks per lane: cases (locks.h), chosen by name, each with N items that run on the machine and in
 * plain C, which have to come to the same. Its kernels are locks_kernel.c. */
#include "probes/locks/locks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"

#define GROUP        256
#define KERNEL_BYTES 64

struct lock_case {
    const char *name;
    void (*run)(struct locks_data *data, uint32_t item);
};

#define LOCK_CASE(name) {#name, locks_case_##name},
static const struct lock_case all[] = {LOCKS_CASES(LOCK_CASE)};

#define CASES (sizeof all / sizeof all[0])

struct arguments {
    uint32_t items;
    bool lists;
    const struct lock_case *chosen[CASES];
    size_t count; /* of those chosen */
    size_t rights;
};

static void choose(const char *what, const char *name, void *field)
{
    struct arguments *const arguments = field;

    for (size_t i = 0; i < CASES; i++) {
        if (strcmp(all[i].name, name) != 0) {
            continue;
        }
        if (arguments->count == CASES) {
            sl_argument_fail("%s '%s' is one too many: there are %zu", what, name, CASES);
        }
        arguments->chosen[arguments->count++] = &all[i];
        return;
    }
    sl_argument_fail("%s '%s' is none; --list prints all", what, name);
}

static const struct sl_argument table[] = {
    {"[CASE...]", 0, SL_TAKE, .take = choose},
    {"items", 'i', SL_NUMBER, 1, 1048576, SL_INTO(struct arguments, items), "Items of a case", "N"},
    {"list", 0, SL_FLAG, 0, 0, SL_INTO(struct arguments, lists),
     "Print the names of all cases and exit"},
    {0},
};

/* Prints the names of all cases, or chooses all where none was named. */
static int list(const struct sl_app_options *options, void *input)
{
    struct arguments *const arguments = input;
    const bool takes_all = arguments->count == 0;

    (void)options;
    for (size_t i = 0; i < CASES; i++) {
        if (arguments->lists) {
            puts(all[i].name);
        } else if (takes_all) {
            arguments->chosen[arguments->count++] = &all[i];
        }
    }
    return arguments->lists ? SL_APP_RIGHT : -1;
}

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
        if (!sl_app_check(
                a->lock.holder == b->lock.holder && a->value == b->value && a->other == b->other,
                "%s: cell %" PRIu32 " has holder %" PRId32 ", value %" PRIu32 ", other %" PRIu32
                "; should have %" PRId32 ", %" PRIu32 ", %" PRIu32,
                name, i, a->lock.holder, a->value, a->other, b->lock.holder, b->value, b->other)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < items; i++) {
        if (!sl_app_check(is->turns[i] == should->turns[i],
                          "%s: item %" PRIu32 " has %" PRIu32 "; should have %" PRIu32, name, i,
                          is->turns[i], should->turns[i])) {
            return false;
        }
    }
    return true;
}

static enum sl_status run_case(struct sl_soc *soc, const struct lock_case *one,
                               struct locks_data *data, struct arguments *arguments)
{
    char kernel[KERNEL_BYTES];

    begin(data, arguments->items);
    (void)snprintf(kernel, sizeof kernel, "%s_kernel", one->name);
    const enum sl_status status =
        sl_app_launch(soc, kernel, arguments->items, GROUP, 0, SL_VALUES(data));
    struct locks_data *const should = sl_app_memory(1, bytes_of(arguments->items));
    if (status == SL_OK) {
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
    struct locks_data *const data = sl_app_alloc(soc, bytes_of(arguments->items), 0);
    enum sl_status status = SL_OK;

    for (size_t i = 0; i < arguments->count && status == SL_OK; i++) {
        status = run_case(soc, arguments->chosen[i], data, arguments);
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

static const struct sl_app app = {
    .doc = "Run cases of locks on the simulated accelerator, all of them by default, and check "
           "what their lanes have added up.\vThe result is the number of cases that are right.",
    .table = table,
    .arguments = &(struct arguments){.items = 1024},
    .kernels = "locks.elf",
    .run_alone = list,
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
