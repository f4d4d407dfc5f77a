/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs a litmus test many times: small programs whose threads access a few variables, and which end
 * differently as memory and the compute units order accesses. What a test may end with, an
 * enumeration of its sequentially consistent executions says, with the relations of papers/002, or
 * one of all that the machine of gpu.consistency may do (papers/000 section 3.3); what it does end
 * with, the machine. docs/do/write-litmus-tests.md says how to write a test and how to read what is
 * printed. Its kernel is litmus_kernel.c; --alone does without, and without QEMU. */
#include <stdio.h>

#include "host/driver/machine/machine.h"
#include "litmus/alone.h"
#include "litmus/check.h"
#include "litmus/order.h"
#include "litmus/parse.h"
#include "litmus/place.h"
#include "litmus/print.h"
#include "litmus/run.h"
#include "sluice/program.h"

#define MESSAGE_BYTES 256

/* What orders operations; the words of --model, and where it is not given. */
enum model { HRF_INDIRECT, HRF_DIRECT, ORDER, BY_MACHINE };

struct arguments {
    const char *path;
    struct litmus_test test;
    enum model model;
    uint32_t place; /* the number of a word of --placement */
    bool is_alone;
    uint64_t runs;
    uint32_t seed;
    char system[LITMUS_NAME_BYTES]; /* memory system */
    struct litmus_outcomes outcomes;
    struct litmus_places places;
};

static const struct sl_argument table[] = {
    {"FILE", 0, SL_TEXT, 0, 0, SL_INTO(struct arguments, path)},
    {"runs", 0, SL_NUMBER, 1, 1000000000, SL_INTO(struct arguments, runs),
     "How often the test runs", "COUNT"},
    {"seed", 0, SL_SEED, 0, 0, SL_INTO(struct arguments, seed),
     "Of delays and of what caches hold before"},
    {"model", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, model),
     "What orders operations: hrf-indirect or hrf-direct (papers/002), or order, which is the "
     "machine that gpu.consistency stands for (default: order with --alone or with a "
     "gpu.consistency other than rmo, else hrf-indirect)",
     "hrf-indirect|hrf-direct|order"},
    {"placement", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, place),
     "Where threads are: file (default: as FILE says), cus (on different compute units), cu (in "
     "wavefronts of one), lanes (in lanes of one wavefront)",
     "file|cus|cu|lanes"},
    {"alone", 0, SL_FLAG, 0, 0, SL_INTO(struct arguments, is_alone),
     "On the accelerator alone, without QEMU and firmware"},
    {0},
};

static const struct litmus_model *model_of(const struct arguments *arguments)
{
    return arguments->model == HRF_DIRECT ? &litmus_hrf_direct : &litmus_hrf_indirect;
}

static void read_test(void *input)
{
    static void (*const places[])(struct litmus_test *) = {
        NULL, litmus_place_apart, litmus_place_in_group, litmus_place_in_wave};
    struct arguments *const arguments = input;
    char error[LITMUS_ERROR_BYTES];

    if (!litmus_parse_file(arguments->path, &arguments->test, error)) {
        sl_argument_fail("%s", error);
    }
    if (places[arguments->place] != NULL) {
        places[arguments->place](&arguments->test);
    }
    if (!litmus_outcomes_of(&arguments->test, model_of(arguments), &arguments->outcomes)) {
        sl_argument_fail(arguments->outcomes.is_out_of_memory
                             ? "%s: the host is out of memory; the limit is %d executions"
                             : "%s: the test has more than %d sequentially consistent executions; "
                               "make it smaller",
                         arguments->path, LITMUS_EXECUTIONS_MAX);
    }
}

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
    const bool is_asked =
        arguments->model == ORDER ||
        (arguments->model == BY_MACHINE && order != NULL && (is_strong || arguments->is_alone));
    if (!is_asked) {
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

    litmus_print(&arguments->outcomes, model_of(arguments), &arguments->places);
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
    struct arguments arguments = {.model = BY_MACHINE, .runs = 200, .seed = 1};
    const struct sl_app app = {
        .doc = "Run a litmus test many times, and compare how it ends with how it may.\v"
               "docs/do/write-litmus-tests.md has the grammar of FILE; tests/litmus has tests.",
        .table = table,
        .arguments = &arguments,
        .check = read_test,
        .run_alone = run_alone,
        .run = run,
        .print = print,
        .is_right = is_right,
    };
    const int status = sl_app_main(&app, argc, argv);

    litmus_outcomes_free(&arguments.outcomes);
    return status;
}
