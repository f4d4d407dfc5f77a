/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The examples of papers/002, and small programs with and without a heterogeneous race, for
 * --check-races: cases, chosen by name, each made from a base program with one thing changed
 * (cases.def). Those without a race have to come to what their base does; those with one may
 * come to anything where memory is not coherent. The kernels are races_kernel.c. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/races/cases.h"
#include "sluice/program.h"
#include "sluice/sluice.h"

#define CASES_MAX 256

struct arguments {
    const struct races_case *chosen[CASES_MAX];
    size_t count;
    size_t rights;
};

enum { KEY_LIST = 256 };

static const struct argp_option option_table[] = {
    {"list", KEY_LIST, NULL, 0,
     "Print of all cases the name, where it is racy, where both sides are, and what it is, and "
     "exit",
     0},
    {0},
};

static void choose(struct arguments *arguments, const struct races_case *one,
                   const struct argp_state *state)
{
    if (arguments->count == CASES_MAX) {
        argp_error(state, "CASE '%s' is one too many: %d are enough", one->name, CASES_MAX);
    }
    arguments->chosen[arguments->count++] = one;
}

static void choose_name(struct arguments *arguments, const char *name,
                        const struct argp_state *state)
{
    const struct races_case *one;

    for (size_t i = 0; (one = races_case(i)) != NULL; i++) {
        if (strcmp(one->name, name) == 0) {
            choose(arguments, one, state);
            return;
        }
    }
    argp_error(state, "CASE '%s' is none; --list prints all", name);
}

static void choose_all(struct arguments *arguments, const struct argp_state *state)
{
    const struct races_case *one;

    for (size_t i = 0; (one = races_case(i)) != NULL; i++) {
        choose(arguments, one, state);
    }
}

static void list(void)
{
    const struct races_case *one;

    for (size_t i = 0; (one = races_case(i)) != NULL; i++) {
        (void)printf("%-24s %-10s %-25s %-18s %-18s %s\n", one->name, races_racy_word(one->racy),
                     one->lacks, one->sides[0], one->sides[1], one->text);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    switch (key) {
    case KEY_LIST:
        list();
        exit(0);
    case ARGP_KEY_ARG:
        choose_name(arguments, argument, state);
        return 0;
    case ARGP_KEY_NO_ARGS:
        choose_all(arguments, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[CASE...]",
    .doc = "Run small programs with and without a race, all of them by default, one after the "
           "other on one machine.\vThe result is the number of cases that are right; those with a "
           "race are.",
};

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "races.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    struct races_data *const data = sl_alloc(soc, sizeof *data, _Alignof(struct races_data));
    if (data == NULL) {
        return SL_ERROR_USAGE;
    }
    sl_statistics_accumulate(soc);
    for (size_t i = 0; i < arguments->count && status == SL_OK; i++) {
        status = races_run(soc, module, arguments->chosen[i], data);
        arguments->rights += status == SL_OK && races_is_right(arguments->chosen[i], data);
    }
    if (status == SL_OK) {
        sl_app_result("races(%zu) = %zu", arguments->count, arguments->rights);
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
    struct arguments arguments = {0};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
