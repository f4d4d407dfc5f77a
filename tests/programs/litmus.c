/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs a litmus test many times: small programs whose threads access a few variables, and which end
 * differently as the memory system orders accesses. What a test may end with, an enumeration of its
 * sequentially consistent executions says, with the relations of papers/002; what it does end with,
 * the machine. docs/litmus.md says how to write a test and how to read what is printed. Its kernel
 * is litmus_kernel.c. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/sluice.h"
#include "programs/common/options.h"
#include "programs/common/program.h"
#include "programs/common/report.h"
#include "programs/litmus/parse.h"
#include "programs/litmus/print.h"
#include "programs/litmus/run.h"

#define RUNS_DEFAULT 200
#define RUNS_MAX     1000000000

struct arguments {
    const char *path;
    struct litmus_test test;
    const struct litmus_model *model;
    uint64_t runs;
    uint64_t seed;
    char system[LITMUS_NAME_BYTES]; /* memory system */
    struct litmus_outcomes outcomes;
    struct litmus_places places;
};

enum { KEY_RUNS = 256, KEY_SEED, KEY_MODEL };

static const struct argp_option option_table[] = {
    {"runs", KEY_RUNS, "COUNT", 0, "How often the test runs (default 200)", 0},
    {"seed", KEY_SEED, "NUMBER", 0, "Of delays and of what caches hold before (default 1)", 0},
    {"model", KEY_MODEL, "MODEL", 0,
     "What orders operations: hrf-indirect (default) or hrf-direct (papers/002)", 0},
    {0},
};

static void read_test(const struct argp_state *state, struct arguments *arguments)
{
    char error[LITMUS_ERROR_BYTES];

    if (arguments->path == NULL) {
        argp_error(state, "FILE is missing: a litmus test, such as tests/litmus/MP.litmus");
    } else if (!litmus_parse_file(arguments->path, &arguments->test, error)) {
        argp_failure(state, PROGRAM_USAGE, 0, "%s", error);
    } else if (!litmus_outcomes_of(&arguments->test, arguments->model, &arguments->outcomes)) {
        argp_failure(state, PROGRAM_USAGE, 0,
                     arguments->outcomes.is_out_of_memory
                         ? "%s: the host is out of memory; the limit is %d executions"
                         : "%s: the test has more than %d sequentially consistent executions; make "
                           "it smaller",
                     arguments->path, LITMUS_EXECUTIONS_MAX);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    switch (key) {
    case KEY_RUNS:
        arguments->runs = options_number(state, "--runs", argument, 1, RUNS_MAX);
        return 0;
    case KEY_SEED:
        arguments->seed = options_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case KEY_MODEL:
        arguments->model = options_choice(state, "--model", argument, "hrf-indirect", "hrf-direct")
                               ? &litmus_hrf_direct
                               : &litmus_hrf_indirect;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->path != NULL) {
            argp_error(state, "one FILE at a time: '%s' comes behind '%s'", argument,
                       arguments->path);
        }
        arguments->path = argument;
        return 0;
    case ARGP_KEY_END:
        read_test(state, arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "FILE",
    .doc = "Run a litmus test many times, and compare how it ends with how it may.\v"
           "docs/litmus.md has the grammar of FILE; tests/litmus has tests.",
};

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    uint64_t observed;

    sl_config_format(SL_CFG_MEM_SYSTEM, sl_soc_config(soc), arguments->system,
                     sizeof arguments->system);
    const enum sl_status status =
        litmus_run(soc, &arguments->test, arguments->runs, arguments->seed, &arguments->outcomes,
                   &arguments->places);
    if (status == SL_OK) {
        (void)litmus_outcomes_condition(&arguments->outcomes, &observed);
        report_result("litmus(%s, %" PRIu64 ") = %s", arguments->test.name, arguments->runs,
                      observed == 0                 ? "never"
                      : observed == arguments->runs ? "always"
                                                    : "sometimes");
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;

    litmus_print(&arguments->outcomes, arguments->model, &arguments->places);
}

/* ---- whether that is right ---- */

static bool is_quantifier_right(const struct arguments *arguments, uint64_t observed)
{
    switch (arguments->test.condition.quantifier) {
    case LITMUS_NOT_EXISTS:
        return observed == 0;
    case LITMUS_FORALL:
        return observed == arguments->runs;
    default:
        return true;
    }
}

static bool is_expectation_right(const struct arguments *arguments,
                                 const struct litmus_expectation *expectation, uint64_t observed)
{
    if (strcmp(expectation->system, "*") != 0 &&
        strcmp(expectation->system, arguments->system) != 0) {
        return true;
    }
    return expectation->runs == 0 ? observed == 0
                                  : observed > 0 || arguments->runs < expectation->runs;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct litmus_test *const test = &arguments->test;
    const uint64_t forbidden = litmus_outcomes_forbidden(&arguments->outcomes);
    uint64_t observed;
    bool is_all_right = true;

    (void)litmus_outcomes_condition(&arguments->outcomes, &observed);
    if (forbidden > 0) {
        is_all_right = false;
        (void)fprintf(stderr, "litmus: wrong: %s: forbidden outcomes in %" PRIu64 " runs on %s\n",
                      arguments->path, forbidden, arguments->system);
    }
    if (!is_quantifier_right(arguments, observed)) {
        is_all_right = false;
        (void)fprintf(stderr,
                      "litmus: wrong: %s: the condition does not hold: %" PRIu64 " of %" PRIu64
                      " runs on %s end as it says\n",
                      arguments->path, observed, arguments->runs, arguments->system);
    }
    for (unsigned i = 0; i < test->expectation_count; i++) {
        if (!is_expectation_right(arguments, &test->expectation[i], observed)) {
            is_all_right = false;
            (void)fprintf(stderr,
                          "litmus: wrong: %s:%u: %" PRIu64 " of %" PRIu64
                          " runs on %s end as the condition says, and %s should\n",
                          arguments->path, test->expectation[i].line, observed, arguments->runs,
                          arguments->system, test->expectation[i].runs == 0 ? "none" : "some");
        }
    }
    return is_all_right;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.runs = RUNS_DEFAULT, .seed = 1, .model = &litmus_hrf_indirect};
    const struct program program = {
        .argp = &argp, .arguments = &arguments, .run = run, .print = print, .is_right = is_right};
    const int status = program_main(&program, argc, argv);

    litmus_outcomes_free(&arguments.outcomes);
    return status;
}
