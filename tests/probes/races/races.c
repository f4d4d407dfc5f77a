/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The examples of papers/002, and small programs with and without a heterogeneous race, for
 * --check-races: cases, chosen by name, each made from a base program with one thing changed
 * (cases.def). Those without a race have to come to what their base does; those with one may
 * come to anything where memory is not coherent. The kernels are races_kernel.c. */
#include <stdio.h>
#include <string.h>

#include "probes/races/cases.h"
#include "sluice/program.h"

#define CASES_MAX 256

struct arguments {
    const struct races_case *chosen[CASES_MAX];
    size_t count;
    size_t rights;
    bool lists;
};

static void choose(struct arguments *arguments, const struct races_case *one)
{
    if (arguments->count == CASES_MAX) {
        sl_argument_fail("CASE '%s' is one too many: %d are enough", one->name, CASES_MAX);
    }
    arguments->chosen[arguments->count++] = one;
}

static void choose_name(const char *what, const char *name, void *field)
{
    const struct races_case *one;

    for (size_t i = 0; (one = races_case(i)) != NULL; i++) {
        if (strcmp(one->name, name) == 0) {
            choose(field, one);
            return;
        }
    }
    sl_argument_fail("%s '%s' is none; --list prints all", what, name);
}

static const struct sl_argument table[] = {
    {"[CASE...]", 0, SL_TAKE, .take = choose_name},
    {"list", 0, SL_FLAG, 0, 0, SL_INTO(struct arguments, lists),
     "Print of all cases the name, where it is racy, where both sides are, and what it is, and "
     "exit"},
    {0},
};

/* Prints what all cases are, or chooses all where none was named. */
static int list(const struct sl_app_options *options, void *input)
{
    struct arguments *const arguments = input;
    const bool takes_all = arguments->count == 0;
    const struct races_case *one;

    (void)options;
    for (size_t i = 0; (one = races_case(i)) != NULL; i++) {
        if (arguments->lists) {
            (void)printf("%-24s %-10s %-25s %-18s %-18s %s\n", one->name,
                         races_racy_word(one->racy), one->lacks, one->sides[0], one->sides[1],
                         one->text);
        } else if (takes_all) {
            choose(arguments, one);
        }
    }
    return arguments->lists ? SL_APP_RIGHT : -1;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct races_data *const data = sl_app_alloc(soc, sizeof *data, _Alignof(struct races_data));
    enum sl_status status = SL_OK;

    sl_statistics_accumulate(soc);
    for (size_t i = 0; i < arguments->count && status == SL_OK; i++) {
        status = races_run(soc, arguments->chosen[i], data);
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

static const struct sl_app app = {
    .doc = "Run small programs with and without a race, all of them by default, one after the "
           "other on one machine.\vThe result is the number of cases that are right; those with a "
           "race are.",
    .table = table,
    .arguments = &(struct arguments){.count = 0},
    .kernels = "races.elf",
    .run_alone = list,
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
