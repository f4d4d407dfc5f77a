/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Command line and main program of the programs that run cases. What a case does, and whether it
 * is right, is theirs. */
#include "workloads/common/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"

#define GOOD_ROUNDS 20

struct chosen {
    const struct cases *cases; /* first: choose() finds the struct by it */
    size_t *number;            /* of each, as many as there are arguments at most */
    size_t count;
    bool is_list; /* --list: print the names and run nothing */
};

static const char *text(const struct cases *cases, size_t number, size_t offset)
{
    return *(const char *const *)((const char *)cases->first + number * cases->bytes + offset);
}

static const char *word(const struct cases *cases)
{
    return cases->word != NULL ? cases->word : "case";
}

static const char *argument(const struct cases *cases)
{
    return cases->argument != NULL ? cases->argument : "CASE";
}

static void choose(const char *what, const char *name, void *field)
{
    struct chosen *const chosen = field;
    const struct cases *const cases = chosen->cases;

    (void)what;
    for (size_t i = 0; i < cases->count; i++) {
        if (strcmp(name, text(cases, i, 0)) == 0) {
            chosen->number[chosen->count++] = i;
            return;
        }
    }
    sl_argument_fail("'%s' is no %s; --list shows them", name, word(cases));
}

static void check(void *input)
{
    const struct chosen *const chosen = input;

    if (chosen->count == 0 && !chosen->is_list) {
        sl_argument_fail("the argument %s is missing; --list shows the %ss",
                         argument(chosen->cases), word(chosen->cases));
    }
}

static void list(const struct cases *cases)
{
    for (size_t i = 0; i < cases->count; i++) {
        if (cases->sentence != 0) {
            (void)printf("%-10s %s\n", text(cases, i, 0), text(cases, i, cases->sentence));
        } else {
            (void)printf("%s\n", text(cases, i, 0));
        }
    }
}

static enum sl_status run_chosen(struct sl_soc *soc, const struct chosen *chosen, size_t *rights)
{
    struct sl_module *module;
    struct relay good;
    struct relay_options small = relay_default;
    small.rounds = GOOD_ROUNDS;
    enum sl_status status = sl_app_load(soc, chosen->cases->kernels, &module);
    if (status == SL_OK) {
        status = relay_build(&good, module, soc, &small);
    }
    for (size_t i = 0; status == SL_OK && i < chosen->count; i++) {
        bool is_right = false;
        int is_good = 0;
        status = chosen->cases->run(soc, chosen->number[i], &good, &is_right);
        if (status == SL_OK) {
            status = relay_run(&good, &is_good);
        }
        *rights += status == SL_OK && is_right && is_good;
    }
    return status;
}

int cases_main(const struct cases *cases, int argc, char **argv)
{
    char name[32];
    const struct sl_argument table[] = {
        {name, 0, SL_TAKE, 0, 0, SL_INTO(struct chosen, cases), NULL, NULL, choose},
        {"list", 'l', SL_FLAG, 0, 0, SL_INTO(struct chosen, is_list), "List what can be chosen"},
        {0},
    };
    struct chosen chosen = {.cases = cases,
                            .number = sl_app_memory((size_t)argc, sizeof *chosen.number)};
    const struct sl_app app = {
        .doc = cases->doc, .table = table, .arguments = &chosen, .check = check};
    struct sl_app_options options;
    struct sl_soc *soc;
    size_t rights = 0;
    int exit_status = SL_APP_WRONG;

    (void)snprintf(name, sizeof name, "[%s...]", argument(cases));
    sl_app_read(&app, argc, argv, &options);
    if (chosen.is_list) {
        list(cases);
        free(chosen.number);
        return SL_APP_RIGHT;
    }
    enum sl_status status = sl_soc_open(&options.config, &soc);
    if (status == SL_OK) {
        status = run_chosen(soc, &chosen, &rights);
    }
    if (status != SL_OK) {
        exit_status = sl_app_error(soc, status);
    } else {
        sl_app_result("%s(%zu) = %zu", cases->program, chosen.count, rights);
        exit_status = rights == chosen.count ? cases->exit_status : SL_APP_WRONG;
    }
    exit_status = sl_app_races(soc, exit_status);
    sl_soc_close(soc);
    free(chosen.number);
    return exit_status;
}
