/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice profile: what the aggregator costs, for core models by programs: the share of time in
 * which the GPU is blocked on it (papers/001 section 8.3 and Table 5). It is a sweep over agg.core
 * whose table has the paper's figures beside the measured ones where the paper has them. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interval.h"
#include "common/own_folder.h"
#include "report/panel.h"
#include "sweep/sweep.h"

#define CORE_KEY      "agg.core"
#define STATISTIC     "gpu.blocked_on_agg_pct"
#define CORES_DEFAULT "simple,2way-light-ooo,2way-ooo,4way-ooo"
#define CELL_WIDTH    20 /* the least for a column */

/* The panel that has the paper's programs and figures. */
#define PAPER_PANEL "table5"
#define PAPER_VALUE "blocked"

enum { KEY_SEEDS = 256 };

static const struct argp_option option_table[] = {
    {"cores", 'k', "CORE,CORE,...", 0,
     "Core models (default: simple,2way-light-ooo,2way-ooo,4way-ooo)", 0},
    {"seeds", KEY_SEEDS, "N", 0,
     "Runs of each program and core, with other delays of DRAM each (default: 3)", 0},
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
};

static int set_cores(json_t *varied, const char *cores)
{
    json_array_clear(varied);
    return sweep_add_varied(varied, CORE_KEY, sweep_values(cores));
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const a = state->input;

    switch (key) {
    case 'k':
        if (set_cores(a->request.varied, argument) != 0) {
            argp_error(state, "--cores %s: expected CORE,CORE,..., and no name empty", argument);
        }
        return 0;
    case 'o':
        a->folder = argument;
        return 0;
    case KEY_SEEDS:
        a->seeds = sweep_seeds(state, argument);
        return 0;
    case ARGP_KEY_END:
        sweep_add_seeds(a->request.varied, a->seeds);
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
        "Run programs on core models of the aggregator and print the share of time in which the "
        "GPU is blocked on it, as mean and 95 % interval, with the core paper's figures (Table 5) "
        "in brackets where it has them. Without programs, they are the paper's four.",
};

/* ---- the paper's figures ---- */

/* panel_free() in any case. */
static int read_paper(const struct cli_command *command, struct panel *panel)
{
    json_t *const paths = json_array();

    *panel = (struct panel){.sections = NULL};
    int status = panel_locate(command, PAPER_PANEL, paths);
    if (status == CLI_DONE) {
        status = panel_read(command, json_string_value(json_array_get(paths, 0)), panel);
    }
    json_decref(paths);
    return status;
}

/* The panel's lines "LABEL: PROGRAM ARGUMENT...". */
static const json_t *paper_programs(const struct panel *panel)
{
    return json_object_get(json_array_get(panel_sections(panel, "runs"), 0), "program");
}

/* What a line runs: behind its label, which ends at a colon. */
static const char *program_of(const json_t *line)
{
    const char *const colon = strchr(json_string_value(line), ':');
    return colon != NULL ? colon + 1 + strspn(colon + 1, " ") : "";
}

/* The paper's figure, as it stands there, for a program on a core, or NULL. */
static const char *paper_figure_of(const struct panel *panel, const char *program, const char *core)
{
    const json_t *const figures = panel_find(panel, "paper", PAPER_VALUE);
    char key[256];
    size_t i;
    const json_t *line;

    json_array_foreach(paper_programs(panel), i, line)
    {
        if (strcmp(program_of(line), program) == 0) {
            const char *const label = json_string_value(line);
            (void)snprintf(key, sizeof key, "%.*s %s", (int)strcspn(label, ":"), label, core);
            return section_text(figures, key);
        }
    }
    return NULL;
}

static void add_paper_programs(const struct panel *panel, json_t *programs)
{
    size_t i;
    const json_t *line;

    json_array_foreach(paper_programs(panel), i, line)
    {
        (void)sweep_add_program(programs, program_of(line));
    }
}

/* ---- the table ---- */

static int column_width(const char *program)
{
    const int length = (int)strlen(program);
    return length > CELL_WIDTH ? length : CELL_WIDTH;
}

/* What the runs of a program on a core, one for each seed, say together; none where one failed. */
static size_t shares_of(const struct sweep *sweep, size_t first, size_t seeds, double *shares)
{
    size_t count = 0;

    for (size_t seed = 0; seed < seeds; seed++) {
        json_t *const statistics = sweep_statistics(sweep, first + seed);
        const json_t *const share = json_object_get(statistics, STATISTIC);
        if (share != NULL) {
            shares[count++] = json_number_value(share);
        }
        json_decref(statistics);
    }
    return count == seeds ? count : 0;
}

static void print_cell(const struct sweep *sweep, size_t first, size_t seeds, const char *program,
                       const char *figure)
{
    double shares[INTERVAL_RUNS_MAX];
    char text[64] = "failed";
    int padding = column_width(program);

    if (shares_of(sweep, first, seeds, shares) > 0) {
        const struct interval share = interval_of(shares, seeds);
        const int length = snprintf(text, sizeof text, "%.1f", share.mean);
        if (seeds > 1) {
            (void)snprintf(text + length, sizeof text - (size_t)length, " ±%.1f",
                           share.high - share.mean);
            padding++; /* the sign is two bytes */
        }
    }
    if (figure != NULL) {
        const size_t length = strlen(text);
        (void)snprintf(text + length, sizeof text - length, " (%s)", figure);
    }
    printf("  %*s", padding, text);
}

/* A row for each core, a column for each program; the runs are in the order programs by cores by
 * seeds. */
static void print_table(const struct sweep *sweep, const struct sweep_request *request, size_t bad)
{
    const json_t *const cores = json_object_get(json_array_get(request->varied, 0), "values");
    const size_t core_count = json_array_size(cores);
    const size_t program_count = json_array_size(request->programs);
    const size_t seeds =
        json_array_size(json_object_get(json_array_get(request->varied, 1), "values"));
    struct panel paper;
    char program[256];

    (void)bad;
    (void)read_paper(sweep->command, &paper); /* it could be read before the runs */
    printf("%% of time that the GPU is blocked on the aggregator (in brackets: core paper, Table "
           "5, of 8 CUs)\n%-16s",
           "");
    for (size_t p = 0; p < program_count; p++) {
        sweep_join(json_array_get(request->programs, p), program, sizeof program);
        printf("  %*s", column_width(program), program);
    }
    (void)putchar('\n');
    for (size_t c = 0; c < core_count; c++) {
        const char *const core = json_string_value(json_array_get(cores, c));
        printf("%-16s", core);
        for (size_t p = 0; p < program_count; p++) {
            sweep_join(json_array_get(request->programs, p), program, sizeof program);
            print_cell(sweep, (p * core_count + c) * seeds, seeds, program,
                       paper_figure_of(&paper, program, core));
        }
        (void)putchar('\n');
    }
    panel_free(&paper);
}

/* The sweep, in the user's folder or one of our own. */
static int execute(const struct cli_command *command, const struct arguments *arguments)
{
    struct own_folder own = {.lock = -1};
    const bool is_own = arguments->folder == NULL;

    if (is_own && own_folder_make(&own, "sluice-profile") != 0) {
        return cli_fail(command, CLI_FAILED, "cannot make the folder %s: %s", own.path,
                        strerror(errno));
    }
    const int status = sweep_execute(command, &arguments->request, &arguments->engine,
                                     is_own ? own.path : arguments->folder, print_table);
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
    struct arguments arguments = {.engine = {.engine = "local"}, .seeds = SWEEP_SEEDS_DEFAULT};
    struct panel paper;

    sweep_request_init(&arguments.request);
    (void)set_cores(arguments.request.varied, CORES_DEFAULT);
    json_array_append_new(arguments.request.settings, json_string(SWEEP_JITTER));
    cli_parse(command, argc, argv, 0, &arguments);
    sweep_catch_signals();
    int status = read_paper(command, &paper);
    if (status == CLI_DONE && json_array_size(arguments.request.programs) == 0) {
        add_paper_programs(&paper, arguments.request.programs);
    }
    panel_free(&paper);
    status = status == CLI_DONE ? execute(command, &arguments) : status;
    sweep_request_free(&arguments.request);
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
