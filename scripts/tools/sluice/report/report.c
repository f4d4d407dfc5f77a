/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice report: papers' figures and tables from our own runs, as a page or as text. What panels
 * ask for is run by the sweep's engine, once for all panels; what an earlier report has run is not
 * run again. */
#define _GNU_SOURCE 1
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/install_paths.h"
#include "host/observe/report/page.h"

enum { KEY_LIST = 256, KEY_TEXT, KEY_SEEDS, KEY_ONLY, KEY_RETRY };

static const struct argp_option option_table[] = {
    {"list", KEY_LIST, NULL, 0, "List the panels there are", 0},
    {"text", KEY_TEXT, NULL, 0, "Print the panels as text; make no page", 0},
    {"seeds", KEY_SEEDS, "N", 0, "Runs of each point, with other delays of DRAM each (default: 3)",
     0},
    {"only", KEY_ONLY, "LABEL", 0,
     "Only the programs that panels call so (\"Sort\"), without the checks; may be repeated", 0},
    {"out", 'o', "FOLDER", 0,
     "Where page, data and runs are kept (default: build/report of a source tree, else "
     "sluice-report)",
     0},
    {"set", 's', "section.key=VALUE", 0, "One value for all runs; what a panel varies itself stays",
     0},
    {"config", 'c', "FILE", 0, "A configuration for all runs", 0},
    {"jobs", 'j', "N", 0, "Runs at the same time (default: as many as there are processors)", 0},
    {"retry", KEY_RETRY, NULL, 0, "Run again what has failed", 0},
    {0},
};

struct arguments {
    struct report_request request;
    bool is_list;
    bool is_text;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const a = state->input;

    switch (key) {
    case KEY_LIST:
        a->is_list = true;
        return 0;
    case KEY_TEXT:
        a->is_text = true;
        return 0;
    case KEY_SEEDS:
        a->request.seeds = sweep_seeds(state, argument);
        return 0;
    case 'o':
        a->request.folder = argument;
        return 0;
    case KEY_ONLY:
        if (a->request.only == NULL) {
            a->request.only = json_array();
        }
        json_array_append_new(a->request.only, json_string(argument));
        return 0;
    case KEY_RETRY:
        a->request.engine.failed_too = true;
        return 0;
    case ARGP_KEY_ARG:
        json_array_append_new(a->request.panels, json_string(argument));
        return 0;
    case ARGP_KEY_END:
        if (!a->is_list && state->arg_num == 0) {
            argp_error(state, "which panels? `sluice report --list` lists them; isca14 is all of "
                              "the core paper's");
        }
        return 0;
    default:
        return sweep_parse_common(key, argument, state, &a->request.sweep, &a->request.engine);
    }
}

static const struct argp report_argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "PANEL...",
    .doc = "Run what panels need, several runs at a time, and write a page with plots, tables and "
           "checks, and each panel's data as CSV. A panel is a name that --list shows, a folder of "
           "them, or a file of your own. What was run before is not run again, unless programs, "
           "firmware or the machine are other ones. The exit status is 1 where a run failed.",
};

/* ---- panels ---- */

struct panels {
    struct panel *panel;
    json_t **points; /* of each */
    size_t count;
};

/* The paths of what the user names, each once. */
static int locate_all(const struct cli_command *command, const json_t *names, json_t *paths)
{
    json_t *const seen = json_object();
    int status = CLI_DONE;
    size_t i;
    const json_t *name;
    json_t *path;

    json_array_foreach(names, i, name)
    {
        if (status == CLI_DONE) {
            status = panel_locate(command, json_string_value(name), paths);
        }
    }
    for (i = 0; i < json_array_size(paths);) {
        path = json_array_get(paths, i);
        if (json_object_get(seen, json_string_value(path)) != NULL) {
            json_array_remove(paths, i);
        } else {
            json_object_set_new(seen, json_string_value(path), json_true());
            i++;
        }
    }
    json_decref(seen);
    return status;
}

/* A panel's name is that of its CSV and its place in the page. */
static int check_names(const struct cli_command *command, const struct panels *panels)
{
    for (size_t i = 0; i < panels->count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(panels->panel[i].name, panels->panel[k].name) == 0) {
                return cli_fail(command, CLI_USAGE,
                                "%s and %s have the same name; a report has each name once",
                                panels->panel[k].path, panels->panel[i].path);
            }
        }
    }
    return CLI_DONE;
}

static int read_panels(const struct cli_command *command, const json_t *names,
                       struct panels *panels)
{
    json_t *const paths = json_array();
    int status = locate_all(command, names, paths);
    size_t i;
    const json_t *path;

    panels->panel = calloc(json_array_size(paths) + 1, sizeof *panels->panel);
    panels->points = calloc(json_array_size(paths) + 1, sizeof *panels->points);
    if (panels->panel == NULL || panels->points == NULL) {
        status = cli_fail(command, CLI_FAILED, "%s", strerror(errno));
    }
    json_array_foreach(paths, i, path)
    {
        if (status == CLI_DONE) {
            struct panel *const panel = &panels->panel[panels->count++];
            status = panel_read(command, json_string_value(path), panel);
            status = status == CLI_DONE ? report_check_panel(command, panel) : status;
        }
    }
    json_decref(paths);
    status = status == CLI_DONE ? check_names(command, panels) : status;
    if (status == CLI_DONE) {
        qsort(panels->panel, panels->count, sizeof *panels->panel, panel_compare);
    }
    return status;
}

static void free_panels(struct panels *panels)
{
    for (size_t i = 0; i < panels->count; i++) {
        panel_free(&panels->panel[i]);
        json_decref(panels->points[i]);
    }
    free(panels->panel);
    free(panels->points);
}

/* The runs of all panels, and each panel's points. */
static int plan_all(const struct cli_command *command, const struct report_request *request,
                    struct panels *panels, json_t *runs)
{
    json_t *const index = json_object();
    int status = CLI_DONE;

    for (size_t i = 0; i < panels->count && status == CLI_DONE; i++) {
        panels->points[i] = json_array();
        status = report_points(command, request, &panels->panel[i], runs, index, panels->points[i]);
        if (status == CLI_DONE && request->only == NULL) {
            status = report_check_paper(command, &panels->panel[i], panels->points[i]);
        }
    }
    json_decref(index);
    if (status == CLI_DONE && json_array_size(runs) == 0) {
        status = cli_fail(command, CLI_USAGE, "--only: none of these panels calls a program so");
    }
    return status;
}

/* ---- runs ---- */

/* All panels from their runs; shown, and kept. */
static int show(const struct sweep *sweep, const struct arguments *a, const struct panels *panels)
{
    json_t *const all = json_array();
    int failed = CLI_DONE;
    int status = CLI_DONE;

    for (size_t i = 0; i < panels->count; i++) {
        json_t *const panel =
            report_panel(sweep, &a->request, &panels->panel[i], panels->points[i], &failed);
        if (a->is_text) {
            (void)fputs(i > 0 ? "\n" : "", stdout);
            text_panel(panel, stdout);
        }
        json_array_append_new(all, panel);
    }
    if (!a->is_text) {
        status = report_write(sweep->command, &a->request, all);
    }
    json_decref(all);
    return status != CLI_DONE ? status : failed;
}

/* The runs of all panels: planned, made and shown. */
static int run_all(const struct cli_command *command, const struct arguments *a,
                   struct panels *panels)
{
    json_t *const runs = json_array();
    struct sweep sweep = {.lock = -1};

    int status = plan_all(command, &a->request, panels, runs);
    json_t *const plan = json_pack("{s:[], s:o}", "keys", "runs", runs);
    if (status == CLI_DONE) {
        status = sweep_reopen(&sweep, command, a->request.folder, plan);
    }
    if (status == CLI_DONE) {
        status = sweep_run(&sweep, &a->request.engine);
    }
    if (status == CLI_DONE) {
        status = show(&sweep, a, panels);
    }
    sweep_close(&sweep);
    json_decref(plan);
    return status;
}

static int make(const struct cli_command *command, const struct arguments *a)
{
    struct panels panels = {0};
    char error[1024];

    int status = read_panels(command, a->request.panels, &panels);
    if (status == CLI_DONE && !a->is_text && sl_page_check(error, sizeof error) != 0) {
        status = cli_fail(command, CLI_FAILED, "%s", error);
    }
    if (status == CLI_DONE) {
        status = run_all(command, a, &panels);
    }
    free_panels(&panels);
    return status;
}

/* Where a report is kept that nobody named a folder for. An installation is nobody's to write to.
 */
static int find_folder(char out[SWEEP_PATH_MAX])
{
    if (sl_home_kind() == SL_HOME_BUILD) {
        return sl_home_path("report", out, SWEEP_PATH_MAX);
    }
    (void)snprintf(out, SWEEP_PATH_MAX, "sluice-report");
    return 0;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    if (sweep_check_arguments(command, argc, argv) != CLI_DONE) {
        return CLI_USAGE;
    }
    struct arguments arguments = {.request = {
                                      .panels = json_array(),
                                      .engine = {.engine = "local"},
                                      .seeds = SWEEP_SEEDS_DEFAULT,
                                  }};
    char folder[SWEEP_PATH_MAX];
    int status;

    sweep_request_init(&arguments.request.sweep);
    cli_parse(command, argc, argv, 0, &arguments);
    sweep_catch_signals();
    if (arguments.is_list) {
        status = panel_list(command, stdout);
    } else if (arguments.request.folder == NULL && find_folder(folder) != 0) {
        status = cli_fail(command, CLI_FAILED, "cannot tell where the command is");
    } else {
        if (arguments.request.folder == NULL) {
            arguments.request.folder = folder;
        }
        status = make(command, &arguments);
    }
    sweep_request_free(&arguments.request.sweep);
    json_decref(arguments.request.panels);
    json_decref(arguments.request.only);
    sweep_end_as_interrupted();
    return status;
}

const struct cli_command cli_report = {
    .name = "report",
    .sentence = "a paper's figures and tables, as a page or as text",
    .example = "sluice report --text --out report --only Fibonacci figure19",
    .argp = &report_argp,
    .run = run,
};
