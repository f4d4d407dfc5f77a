/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice profile: what the aggregator costs, for core models by programs: the share of time in
 * which the GPU is blocked on it (papers/001 section 8.3 and Table 5), and its parts; and the
 * aggregator's cycles. It is a sweep over agg.core whose table has the paper's figures beside the
 * measured ones where the paper has them. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/own_folder.h"
#include "profile/points.h"
#include "report/panel.h"
#include "sluice/codes.h"
#include "sweep/sweep.h"

#define CORE_KEY      "agg.core"
#define STATISTIC     "gpu.blocked_on_agg_pct"
#define CYCLES        "gpu.cycles"
#define BEFORE        "gpu.blocked.start_cycles"
#define AFTER         "gpu.blocked.end_cycles"
#define BETWEEN       "gpu.blocked.between." /* and a phase of the firmware, "poll_cycles" */
#define CORES_DEFAULT "simple,2way-light-ooo,2way-ooo,4way-ooo"
#define CELL_WIDTH    20 /* the least for a column */
#define PART_WIDTH    10
#define LEAST_SHOWN   0.05 /* % of the time; less is 0.0 */

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
        (void)sweep_add_seeds(&a->request, a->seeds);
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
        "in brackets where it has them; then the same before the first wavefront, between the "
        "first and the last by what the aggregator was doing, and after the last; then the "
        "aggregator's cycles per dispatch, wavefront and element, and what its core spends them "
        "on. Without programs, they are the paper's four.",
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

/* ---- the tables ---- */

/* The part of a run's time that a statistic in CU cycles is, in %. */
static double share_of(const json_t *statistics, const char *name)
{
    const double cycles = json_number_value(json_object_get(statistics, CYCLES));
    const double part = json_number_value(json_object_get(statistics, name));
    return cycles > 0 ? 100 * part / cycles : 0;
}

static bool is_between(const char *name)
{
    return strncmp(name, BETWEEN, strlen(BETWEEN)) == 0;
}

/* Of all phases. */
static double share_between(const json_t *statistics, const char *name)
{
    double share = 0;
    const char *key;
    json_t *value;

    (void)name;
    json_object_foreach((json_t *)statistics, key, value)
    {
        share += is_between(key) ? share_of(statistics, key) : 0;
    }
    return share;
}

static int column_width(const char *program)
{
    const int length = (int)strlen(program);
    return length > CELL_WIDTH ? length : CELL_WIDTH;
}

/* A row for each core, a column for each program. */
static void print_shares(const struct profile_points *points, const struct panel *paper)
{
    char program[PROFILE_PROGRAM_BYTES];
    char beside[32];

    printf("%% of time that the GPU is blocked on the aggregator (in brackets: core paper, Table "
           "5, of 8 CUs)\n%-*s",
           PROFILE_CORE_WIDTH, "");
    for (size_t p = 0; p < json_array_size(points->programs); p++) {
        profile_program(points, p, program);
        printf("  %*s", column_width(program), program);
    }
    (void)putchar('\n');
    for (size_t c = 0; c < json_array_size(points->cores); c++) {
        printf("%-*s", PROFILE_CORE_WIDTH, profile_core(points, c));
        for (size_t p = 0; p < json_array_size(points->programs); p++) {
            json_t *const runs = profile_runs(points, p, c);
            profile_program(points, p, program);
            const char *const figure = paper_figure_of(paper, program, profile_core(points, c));
            (void)snprintf(beside, sizeof beside, "%s%s%s", figure != NULL ? " (" : "",
                           figure != NULL ? figure : "", figure != NULL ? ")" : "");
            profile_print(runs, profile_value, STATISTIC, column_width(program), beside);
            json_decref(runs);
        }
        (void)putchar('\n');
    }
}

struct phase {
    const char *name;
    double share;
};

static int compare_phases(const void *left, const void *right)
{
    const double x = ((const struct phase *)left)->share;
    const double y = ((const struct phase *)right)->share;
    return (x < y) - (x > y);
}

/* What the aggregator was doing, the longest first: "poll 8.1, dispatch 2.3". */
static void print_phases(const json_t *runs)
{
    struct phase phases[SL_PHASE_COUNT];
    size_t count = 0;
    const char *name;
    json_t *value;

    json_object_foreach(json_array_get(runs, 0), name, value)
    {
        if (is_between(name) && count < SL_PHASE_COUNT) {
            phases[count++] = (struct phase){name, profile_interval(runs, share_of, name).mean};
        }
    }
    qsort(phases, count, sizeof phases[0], compare_phases);
    for (size_t i = 0; i < count && phases[i].share >= LEAST_SHOWN; i++) {
        const char *const word = phases[i].name + strlen(BETWEEN);
        printf("%s%.*s %.1f", i == 0 ? "  " : ", ", (int)strcspn(word, "_"), word, phases[i].share);
    }
}

static void print_parts_of(const json_t *runs)
{
    profile_print(runs, share_of, BEFORE, PART_WIDTH, "");
    profile_print(runs, share_between, "", PART_WIDTH, "");
    profile_print(runs, share_of, AFTER, PART_WIDTH, "");
    print_phases(runs);
}

static void print_parts(const struct profile_points *points)
{
    char columns[128];

    (void)snprintf(columns, sizeof columns, "  %*s  %*s  %*s  between, by phase of the aggregator",
                   PART_WIDTH, "before", PART_WIDTH, "between", PART_WIDTH, "after");
    profile_print_rows(points,
                       "Its parts: before the first wavefront, between the first and the last, "
                       "after the last",
                       columns, print_parts_of);
}

static int print_tables(const struct sweep *sweep, const struct sweep_request *request, size_t bad,
                        void *context)
{
    const json_t *const seeds = json_object_get(json_array_get(request->varied, 1), "values");
    const struct profile_points points = {
        .sweep = sweep,
        .programs = request->programs,
        .cores = json_object_get(json_array_get(request->varied, 0), "values"),
        .seeds = json_array_size(seeds),
    };
    struct panel paper;

    (void)bad;
    (void)context;
    (void)read_paper(sweep->command, &paper); /* it could be read before the runs */
    print_shares(&points, &paper);
    print_parts(&points);
    profile_print_costs(&points);
    profile_print_stack(&points);
    panel_free(&paper);
    return CLI_DONE;
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
                                     is_own ? own.path : arguments->folder, print_tables, NULL);
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
