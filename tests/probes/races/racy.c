/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Work-groups that all store the same value to the same word and load it, in N launches one after
 * the other: the result is right whoever is first, and yet there are races (docs/do/find-races.md),
 * unless they use atomics, and of a scope that holds both. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "probes/races/racy.h"
#include "sluice/program.h"
#include "sluice/sluice.h"

#define N_MAX 1000

struct arguments {
    uint32_t n;
    const char *kernel;
    uint32_t sum; /* of what was loaded: the result */
};

enum { KEY_ATOMIC = 0x100, KEY_GROUPS };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    if (key == KEY_ATOMIC || key == KEY_GROUPS) {
        arguments->kernel = key == KEY_ATOMIC ? "racy_atomic" : "racy_groups";
        return 0;
    }
    return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
}

static const struct argp_option option_table[] = {
    {"atomic", KEY_ATOMIC, NULL, 0, "Use atomics, so that there are no races", 0},
    {"groups", KEY_GROUPS, NULL, 0, "Use atomics of work-group scope", 0},
    {0},
};

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc = "Launch work-groups that race for a word, but not for its value, N times.\v"
           "N is from 1 to 1000.",
};

static enum sl_status run(struct sl_soc *soc, void *to)
{
    struct arguments *const arguments = to;
    const uint32_t grid[3] = {RACY_GROUPS * RACY_ITEMS, 1, 1};
    const uint32_t group[3] = {RACY_ITEMS, 1, 1};
    struct sl_module *module = NULL;
    uint32_t *words = NULL;
    enum sl_status status = sl_app_load(soc, "racy.elf", &module);

    if (status == SL_OK) {
        words = sl_alloc(soc, (1 + RACY_GROUPS) * sizeof *words, 0);
        status = words != NULL ? SL_OK : SL_ERROR_USAGE;
    }
    for (uint32_t i = 0; status == SL_OK && i < arguments->n; i++) {
        const uint64_t values[] = {(uintptr_t)words};
        status = sl_launch(module, arguments->kernel, grid, group, 0, values, 1);
        if (status == SL_OK) {
            status = sl_soc_wait(soc, -1);
        }
        for (uint32_t number = 1; status == SL_OK && number <= RACY_GROUPS; number++) {
            arguments->sum += words[number];
        }
    }
    if (status == SL_OK) {
        sl_app_result("racy(%" PRIu32 ") = %" PRIu32, arguments->n, arguments->sum);
    }
    return status;
}

static bool is_right(const void *from)
{
    const struct arguments *const arguments = from;
    const uint32_t expected = arguments->n * RACY_GROUPS * RACY_VALUE;

    if (arguments->sum != expected) {
        (void)fprintf(stderr, "racy: wrong: should be %" PRIu32 "\n", expected);
    }
    return arguments->sum == expected;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.kernel = "racy_plain"};
    const struct sl_app app = {
        .argp = &argp,
        .arguments = &arguments,
        .run = run,
        .is_right = is_right,
    };

    return sl_app_main(&app, argc, argv);
}
