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
    const struct cases *cases;
    size_t *number; /* of each, as many as there are arguments at most */
    size_t count;
    bool is_list; /* --list: print the names and run nothing */
};

static void choose(const struct argp_state *state, struct chosen *chosen, const char *name)
{
    for (size_t i = 0; i < chosen->cases->count; i++) {
        if (strcmp(name, chosen->cases->name(i)) == 0) {
            chosen->number[chosen->count++] = i;
            return;
        }
    }
    argp_failure(state, SL_APP_USAGE, 0, "'%s' is no %s; --list shows them", name,
                 chosen->cases->word);
}

static void list(const struct cases *cases)
{
    for (size_t i = 0; i < cases->count; i++) {
        if (cases->sentence != NULL) {
            (void)printf("%-10s %s\n", cases->name(i), cases->sentence(i));
        } else {
            (void)printf("%s\n", cases->name(i));
        }
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct chosen *const chosen = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        choose(state, chosen, argument);
        return 0;
    case 'l':
        chosen->is_list = true;
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (chosen->is_list) {
            return 0;
        }
        argp_error(state, "the argument %s is missing; --list shows the %ss",
                   chosen->cases->argument, chosen->cases->word);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum sl_status run_chosen(struct sl_soc *soc, const struct chosen *chosen, size_t *rights)
{
    const struct cases *const cases = chosen->cases;
    struct sl_module *module;
    struct relay good;
    struct relay_options small = relay_default;
    small.rounds = GOOD_ROUNDS;
    enum sl_status status = sl_app_load(soc, cases->kernels, &module);
    if (status == SL_OK) {
        status = relay_build(&good, module, soc, &small);
    }
    for (size_t i = 0; status == SL_OK && i < chosen->count; i++) {
        status = cases->run(soc, module, chosen->number[i], &good, rights);
    }
    return status;
}

int cases_main(const struct cases *cases, int argc, char **argv)
{
    static const struct argp_option option_table[] = {
        {"list", 'l', NULL, 0, "List what can be chosen", 0},
        {0},
    };
    char args_doc[32];
    (void)snprintf(args_doc, sizeof args_doc, "%s...", cases->argument);
    const struct argp argp = {
        .options = option_table, .parser = parse, .args_doc = args_doc, .doc = cases->doc};
    struct chosen chosen = {.cases = cases, .number = calloc((size_t)argc, sizeof *chosen.number)};
    struct sl_app_options options;
    struct sl_soc *soc;
    size_t rights = 0;
    int exit_status = SL_APP_WRONG;

    if (chosen.number == NULL) {
        (void)fprintf(stderr, "%s: out of memory\n", cases->program);
        return SL_APP_MACHINE;
    }
    sl_app_parse(&argp, argc, argv, &chosen, &options);
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
