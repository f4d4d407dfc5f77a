/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice profile: what the aggregator costs, for programs by core models, policies and firmware
 * images: the share of time in which the GPU is blocked on it (papers/001 section 8.3 and Table 5),
 * and its parts; and the aggregator's cycles. It is a sweep over these, whose table has the paper's
 * figures beside the measured ones where the paper has them. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/own_folder.h"
#include "host/observe/report/page.h"
#include "profile/paper.h"
#include "profile/points.h"
#include "profile/rows.h"
#include "sweep/sweep.h"

#define CORES_DEFAULT "simple,2way-light-ooo,2way-ooo,4way-ooo"

enum { KEY_SEEDS = 256, KEY_POLICIES, KEY_FLASH, KEY_CSV, KEY_PAGE };

static const struct argp_option option_table[] = {
    {"cores", 'k', "CORE,CORE,...", 0,
     "Core models, all for the built-in ones, or files like mine.ini that configure one "
     "(default: " CORES_DEFAULT ")",
     0},
    {"policies", KEY_POLICIES, "NAME,...", 0, "Give the programs each of these as --policy", 0},
    {"flash", KEY_FLASH, "IMAGE,...", 0,
     "Run each of these firmware images; built-in is that of this build", 0},
    {"seeds", KEY_SEEDS, "N", 0,
     "Runs of each program and core, with other delays of DRAM each (default: 3)", 0},
    {"csv", KEY_CSV, "FILE", 0, "Write all figures with their intervals, a line for each row", 0},
    {"page", KEY_PAGE, "FILE.html", 0, "Write a page with plots and tables", 0},
    {"out", 'o', "FOLDER", 0, "Keep the runs there, and take them up again from there", 0},
    {"set", 's', "section.key=VALUE", 0, "One value for all runs", 0},
    {"config", 'c', "FILE", 0, "A configuration for all runs", 0},
    {"jobs", 'j', "N", 0, "Runs at the same time (default: as many as there are processors)", 0},
    {0},
};

struct arguments {
    struct sweep_request request;
    struct sweep_engine_options engine;
    const char *folder; /* NULL: one of our own, removed at the end */
    unsigned seeds;
    struct rows_request rows;
    const char *csv;  /* or NULL */
    const char *page; /* or NULL */
    json_t *line;     /* the command line, for the page */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const a = state->input;

    switch (key) {
    case 'k':
        a->rows.cores = argument;
        return 0;
    case KEY_POLICIES:
        a->rows.policies = argument;
        return 0;
    case KEY_FLASH:
        a->rows.images = argument;
        return 0;
    case KEY_CSV:
        a->csv = argument;
        return 0;
    case KEY_PAGE:
        a->page = argument;
        return 0;
    case 'o':
        a->folder = argument;
        return 0;
    case KEY_SEEDS:
        a->seeds = sweep_seeds(state, argument);
        return 0;
    default:
        return sweep_parse_common(key, argument, state, &a->request, &a->engine);
    }
}

static const struct argp profile_argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "['PROGRAM [ARGUMENT...]'...]",
    .doc =
        "Run programs on core models of the aggregator, and with policies and firmware images, and "
        "print the share of time in which the "
        "GPU is blocked on it, as mean and 95 % interval, with the core paper's figures (Table 5) "
        "in brackets where it has them; then the same before the first wavefront, between the "
        "first and the last by what the aggregator was doing, and after the last; then the "
        "aggregator's cycles per dispatch, wavefront, element and pass over the channels, and what "
        "its core spends them on, the firmware's most expensive functions, and how long each "
        "channel's elements wait. There is a row for "
        "each core, policy and firmware image. Without "
        "programs, they are the paper's four.",
};

/* The tables, and what the user wants as files. */
static int show(const struct sweep *sweep, const struct sweep_request *request, size_t bad,
                void *context)
{
    const struct arguments *const a = context;
    struct profile_points points;
    struct panel paper;
    int status = CLI_DONE;

    (void)bad;
    profile_points_init(&points, sweep, request);
    (void)paper_read(sweep->command, &paper); /* it could be read before the runs */
    profile_print_shares(&points, &paper);
    profile_print_parts(&points);
    profile_print_runs(&points);
    profile_print_costs(&points);
    profile_print_phases(&points);
    profile_print_stack(&points);
    profile_print_functions(&points);
    profile_print_latencies(&points);
    panel_free(&paper);
    if (a->csv != NULL) {
        status = profile_csv(&points, a->csv);
    }
    if (a->page != NULL && status == CLI_DONE) {
        status = profile_page(&points, request, json_incref(a->line), a->page);
    }
    return status;
}

/* The sweep, in the user's folder or one of our own. */
static int execute(const struct cli_command *command, struct arguments *arguments)
{
    struct own_folder own = {.lock = -1};
    const bool is_own = arguments->folder == NULL;

    if (is_own && own_folder_make(&own, "sluice-profile") != 0) {
        return cli_fail(command, CLI_FAILED, "cannot make the folder %s: %s", own.path,
                        strerror(errno));
    }
    const int status = sweep_execute(command, &arguments->request, &arguments->engine,
                                     is_own ? own.path : arguments->folder, show, arguments);
    if (is_own) {
        own_folder_remove(&own);
    }
    return status;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    if (sweep_check_arguments(command, argc, argv) != CLI_DONE) {
        return CLI_USAGE;
    }
    struct arguments arguments = {.engine = {.engine = "local"},
                                  .seeds = SWEEP_SEEDS_DEFAULT,
                                  .rows = {.cores = CORES_DEFAULT}};
    struct panel paper;

    sweep_request_init(&arguments.request);
    arguments.request.with_reports = true; /* for the functions */
    arguments.line = sweep_line(command, argc, argv);
    cli_parse(command, argc, argv, 0, &arguments);
    sweep_catch_signals();
    char error[1024];
    int status = paper_read(command, &paper);
    if (status == CLI_DONE && json_array_size(arguments.request.programs) == 0) {
        paper_add_programs(&paper, arguments.request.programs);
    }
    panel_free(&paper);
    status = status == CLI_DONE ? rows_add(command, &arguments.rows, &arguments.request) : status;
    if (status == CLI_DONE && arguments.page != NULL && sl_page_check(error, sizeof error) != 0) {
        status = cli_fail(command, CLI_FAILED, "%s", error);
    }
    json_array_insert_new(arguments.request.settings, 0, json_string("latency.measure=on"));
    (void)sweep_add_seeds(&arguments.request, arguments.seeds);
    status = status == CLI_DONE ? execute(command, &arguments) : status;
    sweep_request_free(&arguments.request);
    json_decref(arguments.line);
    sweep_end_as_interrupted();
    return status;
}

const struct cli_command cli_profile = {
    .name = "profile",
    .sentence = "measure what the aggregator costs, for core models by programs",
    .example = "sluice profile --cores simple,2way-ooo 'cilk_fib 16' 'fib 16'",
    .argp = &profile_argp,
    .run = run,
};
