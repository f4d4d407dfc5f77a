/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice sweep: programs on every combination of configuration values. */
#define _GNU_SOURCE 1
#include "sweep/sweep.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

enum { KEY_RUN = 256, KEY_ENGINE, KEY_RETRY };

static const struct argp_option option_table[] = {
    {"out", 'o', "FOLDER", 0, "Folder of the sweep; made where there is none, else taken up again",
     0},
    {"vary", 'v', "section.key=V1,V2,...", 0,
     "Run with each of these values; of several --vary, with each combination", 0},
    {"set", 's', "section.key=VALUE", 0, "One value for all runs", 0},
    {"config", 'c', "FILE", 0, "A configuration for all runs", 0},
    {"engine", KEY_ENGINE, "ENGINE", 0, "local (GNU parallel; the default) or slurm", 0},
    {"jobs", 'j', "N", 0,
     "Runs at the same time (default: as many as there are processors, or as Slurm allows)", 0},
    {"retry", KEY_RETRY, NULL, 0, "Run again what has failed", 0},
    {"quiet", 'q', NULL, 0, "No progress and no summary", 0},
    {"run", KEY_RUN, "N", 0, "Run only number N of the sweep in FOLDER, as the engines do", 0},
    {0},
};

struct arguments {
    struct sweep_request request;
    struct sweep_engine_options engine;
    const char *folder;
    long only; /* --run, or negative */
};

/* "section.key=V1,V2,..." */
static void add_varied(const struct argp_state *state, json_t *varied, const char *text)
{
    char key[128];
    const size_t length = strcspn(text, "=");

    (void)snprintf(key, sizeof key, "%.*s", (int)length, text);
    if (text[length] == '\0' ||
        sweep_add_varied(varied, key, sweep_values(text + length + 1)) != 0) {
        argp_failure(state, CLI_USAGE, 0,
                     "--vary %s: expected section.key=VALUE,VALUE,..., and no value empty", text);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const a = state->input;

    switch (key) {
    case 'o':
        a->folder = argument;
        return 0;
    case 'v':
        add_varied(state, a->request.varied, argument);
        return 0;
    case KEY_ENGINE:
        a->engine.engine = argument;
        return 0;
    case KEY_RETRY:
        a->engine.failed_too = true;
        return 0;
    case 'q':
        a->engine.is_quiet = true;
        return 0;
    case KEY_RUN:
        a->only = sweep_number(state, "--run", argument, 0);
        return 0;
    case ARGP_KEY_END:
        if (a->folder == NULL) {
            argp_error(state, "--out FOLDER is missing: where the sweep is kept");
        }
        if (a->only < 0 && json_array_size(a->request.programs) == 0) {
            argp_error(state, "which programs? For example: 'fib 24' 'matmul 64'");
        }
        return 0;
    default:
        return sweep_parse_common(key, argument, state, &a->request, &a->engine);
    }
}

static const struct argp sweep_argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "'PROGRAM [ARGUMENT...]'...",
    .doc = "Run programs on every combination of configuration values, several at a time, and "
           "collect results and statistics in results.csv and results.jsonl of FOLDER. What is "
           "done is not run again: a sweep that was ended, by whatever means, is taken up by the "
           "same command. The exit status is 1 where a run failed.",
};

int sweep_execute(const struct cli_command *command, const struct sweep_request *request,
                  const struct sweep_engine_options *options, const char *folder,
                  void (*show)(const struct sweep *sweep, const struct sweep_request *request,
                               size_t bad))
{
    struct sweep sweep;
    size_t bad = 0;
    json_t *const plan = sweep_plan(command, request);

    if (plan == NULL) {
        return CLI_USAGE;
    }
    sweep_warn_of_seeds(command, plan);
    int status = sweep_open(&sweep, command, folder, plan);
    if (status == CLI_DONE) {
        status = sweep_run(&sweep, options);
    }
    if (status == CLI_DONE) {
        status = sweep_write_results(&sweep, &bad);
    }
    if (status == CLI_DONE && show != NULL) {
        show(&sweep, request, bad);
        sweep_print_failures(&sweep);
    }
    sweep_close(&sweep);
    json_decref(plan);
    return status == CLI_DONE && bad > 0 ? CLI_WRONG : status;
}

static void print_summary(const struct sweep *sweep, const struct sweep_request *request,
                          size_t bad)
{
    const size_t runs = json_array_size(sweep->runs);

    (void)request;
    printf("%zu of %zu runs are right: %s/results.csv\n", runs - bad, runs, sweep->folder);
}

static int run_all(const struct cli_command *command, const struct arguments *a)
{
    if (!sweep_has_engine(a->engine.engine)) {
        return cli_fail(command, CLI_USAGE, "there is no engine '%s'; local and slurm",
                        a->engine.engine);
    }
    sweep_catch_signals();
    return sweep_execute(command, &a->request, &a->engine, a->folder,
                         a->engine.is_quiet ? NULL : print_summary);
}

static int run_only(const struct cli_command *command, const struct arguments *a)
{
    struct sweep sweep;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* an engine that is killed leaves nothing behind */
    int status = sweep_open(&sweep, command, a->folder, NULL);

    if (status == CLI_DONE) {
        status = sweep_run_one(&sweep, (size_t)a->only);
    }
    sweep_close(&sweep);
    return status;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    if (sweep_check_arguments(command, argc, argv) != CLI_DONE) {
        return CLI_USAGE;
    }
    struct arguments arguments = {.engine = {.engine = "local"}, .only = -1};

    sweep_request_init(&arguments.request);
    cli_parse(command, argc, argv, 0, &arguments);
    const int status =
        arguments.only >= 0 ? run_only(command, &arguments) : run_all(command, &arguments);
    sweep_request_free(&arguments.request);
    sweep_end_as_interrupted();
    return status;
}

const struct cli_command cli_sweep = {
    .name = "sweep",
    .sentence = "run programs on every combination of configuration values",
    .example = "sluice sweep --out sweep --vary gpu.cus=1,2,4,8 'fib 16' 'matmul 32'",
    .argp = &sweep_argp,
    .run = run,
};
