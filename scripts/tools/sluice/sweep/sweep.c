/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice sweep: programs on every combination of configuration values. */
#define _GNU_SOURCE 1
#include "sweep/sweep.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "common/text_table.h"
#include "config/nearest.h"
#include "host/base/text.h"
#include "host/base/utf8.h"
#include "host/observe/report/page.h"
#include "sluice/sluice.h"

#define NAMES_DEFAULT "gpu.cycles,gpu.blocked_on_agg_pct"

enum { KEY_RUN = 256, KEY_ENGINE, KEY_RETRY, KEY_SEEDS, KEY_SHOW, KEY_PLOT };

static const struct argp_option option_table[] = {
    {"out", 'o', "FOLDER", 0, "Folder of the sweep; made where there is none, else taken up again",
     0},
    {"vary", 'v', "section.key=V1,V2,...", 0,
     "Run with each of these values; of several --vary, with each combination", 0},
    {"set", 's', "section.key=VALUE", 0, "One value for all runs", 0},
    {"config", 'c', "FILE", 0, "A configuration for all runs", 0},
    {"seeds", KEY_SEEDS, "N", 0,
     "Runs of each point, with other delays of DRAM each (default: one, without)", 0},
    {"show", KEY_SHOW, "NAME,...", 0,
     "Statistics of the table and the plots (default: " NAMES_DEFAULT ")", 0},
    {"plot", KEY_PLOT, "FILE.html", 0,
     "Draw them over the first varied key, with a line for each value of the second", 0},
    {"engine", KEY_ENGINE, "ENGINE", 0, "local (GNU parallel; the default) or slurm", 0},
    {"jobs", 'j', "N", 0,
     "Runs at the same time (default: as many as there are processors, or as Slurm allows)", 0},
    {"retry", KEY_RETRY, NULL, 0, "Run again what has failed", 0},
    {"quiet", 'q', NULL, 0, "No progress, no summary and no table", 0},
    {"run", KEY_RUN, "N", 0, "Run only number N of the sweep in FOLDER, as the engines do", 0},
    {0},
};

struct arguments {
    struct sweep_request request;
    struct sweep_engine_options engine;
    const char *folder;
    unsigned seeds;   /* --seeds; 0: none, and a run of each point */
    json_t *names;    /* of the statistics to show */
    const char *plot; /* --plot, or NULL */
    json_t *line;     /* the command line, for the page */
    long only;        /* --run, or negative */
};

static void check_name(const struct argp_state *state, const char *name)
{
    const char *names[SL_STAT_COUNT];

    if (sweep_statistic(name) != NULL) {
        return;
    }
    for (int id = 0; id < SL_STAT_COUNT; id++) {
        names[id] = sl_statistic_table[id].name;
    }
    const char *const near = sl_nearest(name, names, SL_STAT_COUNT);
    argp_failure(state, CLI_USAGE, 0, "--show: there is no statistic '%s'%s%s%s", name,
                 near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                 near != NULL ? "?" : "");
}

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

/* "NAME,..." */
static void add_names(const struct argp_state *state, struct arguments *a, const char *text)
{
    json_t *const added = sweep_values(text);
    size_t i;
    const json_t *name;

    if (added == NULL) {
        argp_failure(state, CLI_USAGE, 0, "--show %s: expected NAME,NAME,..., and no name empty",
                     text);
    }
    json_array_foreach(added, i, name)
    {
        check_name(state, json_string_value(name));
    }
    if (a->names != NULL) {
        json_array_extend(a->names, added);
        json_decref(added);
    } else {
        a->names = added;
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
    case KEY_SEEDS:
        a->seeds = sweep_seeds(state, argument);
        return 0;
    case KEY_SHOW:
        add_names(state, a, argument);
        return 0;
    case KEY_PLOT:
        a->plot = argument;
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
                  const struct sweep_engine_options *options, const char *folder, sweep_show *show,
                  void *context)
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
    if (status == CLI_DONE) {
        status = show(&sweep, request, bad, context);
        if (!options->is_quiet) {
            sweep_print_failures(&sweep);
        }
    }
    sweep_close(&sweep);
    json_decref(plan);
    return status == CLI_DONE && bad > 0 ? CLI_WRONG : status;
}

/* A summary and a table on standard output, and a page. */
static int show(const struct sweep *sweep, const struct sweep_request *request, size_t bad,
                void *context)
{
    const struct arguments *const a = context;
    const struct sweep_shown shown = {sweep, request, a->names, a->seeds};
    const size_t runs = json_array_size(sweep->runs);
    int status = CLI_DONE;

    json_t *const points = sweep_points(&shown);
    if (!a->engine.is_quiet) {
        json_t *const table = sweep_table(&shown, points);
        printf("%zu of %zu runs are right: %s/results.csv\n\n", runs - bad, runs, sweep->folder);
        text_table_print(table, stdout);
        json_decref(table);
    }
    if (a->plot != NULL) {
        status = sweep_plot(&shown, points, json_incref(a->line), a->plot);
    }
    json_decref(points);
    return status;
}

/* What can be wrong before anything runs. */
static int check(const struct cli_command *command, const struct arguments *a)
{
    char error[1024];

    if (!sweep_has_engine(a->engine.engine)) {
        return cli_fail(command, CLI_USAGE, "there is no engine '%s'; local and slurm",
                        a->engine.engine);
    }
    if (a->plot != NULL && json_array_size(a->request.varied) == 0) {
        return cli_fail(command, CLI_USAGE,
                        "--plot draws over the first varied key, and there is no --vary");
    }
    if (a->plot != NULL && sl_page_check(error, sizeof error) != 0) {
        return cli_fail(command, CLI_FAILED, "%s", error);
    }
    return CLI_DONE;
}

static void add_seeds(struct arguments *a)
{
    if (a->seeds > 0 && sweep_add_seeds(&a->request, a->seeds) && !a->engine.is_quiet) {
        printf("--seeds sets %s, a random delay of DRAM reads\n", SWEEP_JITTER);
        (void)fflush(stdout);
    }
}

static int run_all(const struct cli_command *command, struct arguments *a)
{
    const int status = check(command, a);

    if (status != CLI_DONE) {
        return status;
    }
    add_seeds(a);
    sweep_catch_signals();
    return sweep_execute(command, &a->request, &a->engine, a->folder, show, a);
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
    arguments.line = sweep_line(command, argc, argv);
    cli_parse(command, argc, argv, 0, &arguments);
    if (arguments.names == NULL) {
        arguments.names = sweep_values(NAMES_DEFAULT);
    }
    const int status =
        arguments.only >= 0 ? run_only(command, &arguments) : run_all(command, &arguments);
    sweep_request_free(&arguments.request);
    json_decref(arguments.names);
    json_decref(arguments.line);
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
