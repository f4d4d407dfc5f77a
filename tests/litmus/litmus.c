/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs a litmus test many times: small programs whose threads access a few variables, and which end
 * differently as memory and the compute units order accesses. What a test may end with, an
 * enumeration of its sequentially consistent executions says, with the relations of papers/002, or
 * one of all that the machine of gpu.consistency may do (papers/000 section 3.3); what it does end
 * with, the machine. docs/do/write-litmus-tests.md says how to write a test and how to read what is
 * printed. Its kernel is litmus_kernel.c; --alone does without, and without QEMU. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/driver/machine/machine.h"
#include "litmus/alone.h"
#include "litmus/check.h"
#include "litmus/order.h"
#include "litmus/parse.h"
#include "litmus/place.h"
#include "litmus/print.h"
#include "litmus/run.h"
#include "sluice/program.h"
#include "sluice/sluice.h"

#define RUNS_DEFAULT 200
#define RUNS_MAX     1000000000

#define MESSAGE_BYTES 256

enum choice { BY_MACHINE, NO, YES };

struct arguments {
    const char *path;
    struct litmus_test test;
    const struct litmus_model *model;
    enum choice order;                   /* asks what gpu.consistency stands for, not the model */
    void (*place)(struct litmus_test *); /* NULL: where the file says */
    bool is_alone;
    uint64_t runs;
    uint64_t seed;
    char system[LITMUS_NAME_BYTES]; /* memory system */
    struct litmus_outcomes outcomes;
    struct litmus_places places;
};

enum { KEY_RUNS = 256, KEY_SEED, KEY_MODEL, KEY_PLACEMENT, KEY_ALONE };

static const struct argp_option option_table[] = {
    {"runs", KEY_RUNS, "COUNT", 0, "How often the test runs (default 200)", 0},
    {"seed", KEY_SEED, "NUMBER", 0, "Of delays and of what caches hold before (default 1)", 0},
    {"model", KEY_MODEL, "MODEL", 0,
     "What orders operations: hrf-indirect or hrf-direct (papers/002), or order, which is the "
     "machine that gpu.consistency stands for. Default order with --alone or with a "
     "gpu.consistency other than rmo, else hrf-indirect",
     0},
    {"placement", KEY_PLACEMENT, "PLACE", 0,
     "Where threads are: file (default: as FILE says), cus (on different compute units), cu (in "
     "wavefronts of one), lanes (in lanes of one wavefront)",
     0},
    {"alone", KEY_ALONE, NULL, 0, "On the accelerator alone, without QEMU and firmware", 0},
    {0},
};

static void read_test(const struct argp_state *state, struct arguments *arguments)
{
    char error[LITMUS_ERROR_BYTES];

    if (arguments->path == NULL) {
        argp_error(state, "FILE is missing: a litmus test, such as tests/litmus/scopes/MP.litmus");
    } else if (!litmus_parse_file(arguments->path, &arguments->test, error)) {
        argp_failure(state, SL_APP_USAGE, 0, "%s", error);
    }
    if (arguments->place != NULL) {
        arguments->place(&arguments->test);
    }
    if (!litmus_outcomes_of(&arguments->test, arguments->model, &arguments->outcomes)) {
        argp_failure(state, SL_APP_USAGE, 0,
                     arguments->outcomes.is_out_of_memory
                         ? "%s: the host is out of memory; the limit is %d executions"
                         : "%s: the test has more than %d sequentially consistent executions; make "
                           "it smaller",
                     arguments->path, LITMUS_EXECUTIONS_MAX);
    }
}

static void set_model(const struct argp_state *state, const char *text, struct arguments *arguments)
{
    if (strcmp(text, "order") != 0) {
        if (strcmp(text, litmus_hrf_indirect.name) != 0 &&
            strcmp(text, litmus_hrf_direct.name) != 0) {
            argp_failure(state, SL_APP_USAGE, 0,
                         "--model: '%s' is not one of hrf-indirect, hrf-direct, order", text);
        }
        arguments->model =
            strcmp(text, litmus_hrf_direct.name) == 0 ? &litmus_hrf_direct : &litmus_hrf_indirect;
    }
    arguments->order = strcmp(text, "order") == 0 ? YES : NO;
}

static void set_placement(const struct argp_state *state, const char *text,
                          struct arguments *arguments)
{
    static const struct {
        const char *name;
        void (*place)(struct litmus_test *);
    } placements[] = {
        {"file", NULL},
        {"cus", litmus_place_apart},
        {"cu", litmus_place_in_group},
        {"lanes", litmus_place_in_wave},
    };
    const size_t count = sizeof placements / sizeof placements[0];
    size_t i = 0;

    while (i < count && strcmp(text, placements[i].name) != 0) {
        i++;
    }
    if (i == count) {
        argp_failure(state, SL_APP_USAGE, 0, "--placement: '%s' is not one of file, cus, cu, lanes",
                     text);
    } else {
        arguments->place = placements[i].place;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    switch (key) {
    case KEY_RUNS:
        arguments->runs = sl_app_number(state, "--runs", argument, 1, RUNS_MAX);
        return 0;
    case KEY_SEED:
        arguments->seed = sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case KEY_MODEL:
        set_model(state, argument, arguments);
        return 0;
    case KEY_PLACEMENT:
        set_placement(state, argument, arguments);
        return 0;
    case KEY_ALONE:
        arguments->is_alone = true;
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
           "docs/do/write-litmus-tests.md has the grammar of FILE; tests/litmus has tests.",
};

/* ---- runs ---- */

/* What the machine's configuration has to say: its memory system, and the order that is asked. The
 * message is empty where all is well. */
static void configure(struct arguments *arguments, const struct sl_config *config, char *message,
                      size_t bytes)
{
    const bool is_strong = config->number[SL_CFG_GPU_CONSISTENCY] != SL_GPU_CONSISTENCY_RMO;
    const struct litmus_order *const order = litmus_order_of(config);

    message[0] = '\0';
    sl_config_format(SL_CFG_MEM_SYSTEM, config, arguments->system, sizeof arguments->system);
    if (arguments->order == NO || (arguments->order == BY_MACHINE &&
                                   (order == NULL || !(is_strong || arguments->is_alone)))) {
        return;
    }
    if (order == NULL) {
        (void)snprintf(message, bytes,
                       "--model order needs a write-atomic memory system: flat, moesi, nol1 or "
                       "partition (mem.system is %s)",
                       arguments->system);
        return;
    }
    switch (litmus_outcomes_ask(&arguments->outcomes, order)) {
    case LITMUS_EXPLORE_LIMIT:
        (void)snprintf(message, bytes,
                       "%s: the test has more than %d states on %s; make it smaller",
                       arguments->path, LITMUS_STATES_MAX, order->name);
        break;
    case LITMUS_EXPLORE_MEMORY:
        (void)snprintf(message, bytes, "the host is out of memory");
        break;
    default:
        break;
    }
}

static void report(const struct arguments *arguments)
{
    uint64_t observed;

    (void)litmus_outcomes_condition(&arguments->outcomes, &observed);
    sl_app_result("litmus(%s, %" PRIu64 ") = %s", arguments->test.name, arguments->runs,
                  observed == 0                 ? "never"
                  : observed == arguments->runs ? "always"
                                                : "sometimes");
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    char message[MESSAGE_BYTES];

    configure(arguments, sl_soc_config(soc), message, sizeof message);
    if (message[0] != '\0') {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "%s", message);
    }
    const enum sl_status status =
        litmus_run(soc, &arguments->test, arguments->runs, arguments->seed, &arguments->outcomes,
                   &arguments->places);
    if (status == SL_OK) {
        report(arguments);
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;

    litmus_print(&arguments->outcomes, arguments->model, &arguments->places);
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return litmus_check(&arguments->outcomes, arguments->path, arguments->system);
}

/* ---- the accelerator alone ---- */

static int refuse(const char *message)
{
    (void)fflush(stdout);
    (void)fprintf(stderr, "litmus: %s\n", message);
    return SL_APP_USAGE;
}

static int run_alone(const struct sl_app_options *options, void *input)
{
    struct arguments *const arguments = input;
    const struct litmus_alone alone = {.config = &options->config,
                                       .test = &arguments->test,
                                       .runs = arguments->runs,
                                       .seed = arguments->seed};
    char message[LITMUS_BARE_ERROR_BYTES];

    if (!arguments->is_alone) {
        return -1;
    }
    if (options->stats != NULL || options->config.text[SL_CFG_PROFILE_FILE][0] != '\0' ||
        options->config.text[SL_CFG_TIMELINE_FILE][0] != '\0' ||
        options->config.text[SL_CFG_REPORT_FILE][0] != '\0') {
        return refuse("--stats, --profile, --timeline and --report are of the whole machine; leave "
                      "out --alone");
    }
    configure(arguments, &options->config, message, sizeof message);
    if (message[0] != '\0') {
        return refuse(message);
    }
    const enum sl_status status =
        litmus_alone_run(&alone, &arguments->outcomes, &arguments->places, message);
    if (status != SL_OK) {
        (void)refuse(message);
        return status == SL_ERROR_USAGE ? SL_APP_USAGE : SL_APP_MACHINE;
    }
    report(arguments);
    if (!options->is_quiet) {
        print(arguments);
    }
    return is_right(arguments) ? SL_APP_RIGHT : SL_APP_WRONG;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.runs = RUNS_DEFAULT, .seed = 1, .model = &litmus_hrf_indirect};
    const struct sl_app app = {.argp = &argp,
                               .arguments = &arguments,
                               .run_alone = run_alone,
                               .run = run,
                               .print = print,
                               .is_right = is_right};
    const int status = sl_app_main(&app, argc, argv);

    litmus_outcomes_free(&arguments.outcomes);
    return status;
}
