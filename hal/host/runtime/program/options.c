/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Common options as an argp parser beside the program's own. Settings win over files wherever they
 * stand, and both are applied in the order given. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/safe_write.h"
#include "host/base/std_fds.h"
#include "host/runtime/program/arguments.h"
#include "host/runtime/program/outputs.h"
#include "sluice/program.h"

#define ERROR_BYTES   1024
#define SETTING_BYTES (2 * SL_CONFIG_TEXT_MAX) /* what is too long for a value is told as such */

/* Options without a letter. */
enum {
    KEY_OUTPUT = 0x1000, /* and up, by enum sl_app_output */
    KEY_TRACE_FILTER = KEY_OUTPUT + SL_APP_OUTPUTS,
    KEY_CHECK_RACES
};

struct parse {
    struct sl_app_options *options;
    struct sl_arguments *own; /* for the parser of the program's own */
    const char **settings;
    size_t setting_count;
    const char *output[SL_APP_OUTPUTS]; /* FILE, or NULL */
    char *trace_filter;                 /* KEY=VALUE,..., or NULL */
    char *sample;                       /* N or N:FILE, or NULL */
    const char *check_races;            /* MODEL, or NULL */
};

static const struct argp_option common_options[] = {
    {"config", 'c', "FILE", 0, "Read the machine's configuration from FILE", 1},
    {"set", 's', "section.key=VALUE", 0,
     "Set one configuration value; may be repeated, and wins over --config", 1},
    {"stats", 'o', "FILE", 0, "Write the run's statistics to FILE as JSON", 1},
    {"profile", KEY_OUTPUT + SL_APP_PROFILE, "FILE", 0,
     "Write a profile of the firmware to FILE, for callgrind_annotate and KCachegrind", 1},
    {"kernel-profile", KEY_OUTPUT + SL_APP_KERNEL_PROFILE, "FILE", 0,
     "Write a profile of the kernels to FILE, for sluice annotate, callgrind_annotate and "
     "KCachegrind",
     1},
    {"timeline", KEY_OUTPUT + SL_APP_TIMELINE, "FILE", 0,
     "Write a timeline to FILE, for Perfetto; the page of --report shows it", 1},
    {"report", KEY_OUTPUT + SL_APP_REPORT, "FILE", 0,
     "Write a report of the run to FILE: a page, or its data where the name ends in .json", 1},
    {"trace", KEY_OUTPUT + SL_APP_TRACE, "FILE", 0,
     "Write each instruction of the wavefronts to FILE while the program runs; - is standard "
     "output",
     1},
    {"trace-filter", KEY_TRACE_FILTER, "KEY=VALUE,...", 0,
     "What --trace has: kernel, wave, cu, from, to, function, pc, registers, what, lines, as the "
     "keys of section trace of the configuration",
     1},
    {"sample", KEY_OUTPUT + SL_APP_SAMPLE, "N[:FILE]", 0,
     "Write statistics of each N cycles to FILE (samples.csv) as CSV while the program runs", 1},
    {"check-races", KEY_CHECK_RACES, "MODEL", 0,
     "Look for races of memory model drf, hrf-direct or hrf-indirect while the program runs; where "
     "there are some the exit status is 1",
     1},
    {"races", KEY_OUTPUT + SL_APP_RACES, "FILE", 0,
     "Write what --check-races finds to FILE as JSON", 1},
    {"quiet", 'q', NULL, 0, "Print the result only", 1},
    {0},
};

/* A file alone would be left without what it is for. */
static void check_races(struct argp_state *state, const struct parse *parse)
{
    const char *const path = parse->output[SL_APP_RACES];
    if (path != NULL && parse->options->config.number[SL_CFG_DEBUG_RACES] == SL_DEBUG_RACES_OFF) {
        argp_failure(state, SL_APP_USAGE, 0,
                     "--races: there is nothing to write to '%s' without --check-races MODEL, "
                     "which is one of drf, hrf-direct and hrf-indirect",
                     path);
    }
}

/* Likewise. */
static void check_trace(struct argp_state *state, const struct parse *parse)
{
    if (parse->trace_filter != NULL && parse->options->config.text[SL_CFG_TRACE_FILE][0] == '\0') {
        argp_failure(state, SL_APP_USAGE, 0,
                     "--trace-filter: there is nothing to choose from without --trace FILE");
    }
}

/* A setting that an option stands for; what is said of it begins with the option, and the key. */
static void apply_setting(const struct argp_state *state, const struct parse *parse,
                          const char *option, const char *setting)
{
    char error[ERROR_BYTES];
    char key[SL_CONFIG_TEXT_MAX];
    if (sl_config_set(&parse->options->config, setting, error, sizeof error) != 0) {
        (void)snprintf(key, sizeof key, "%.*s: ", (int)strcspn(setting, "="), setting);
        const char *const what = strstr(error, key);
        argp_failure(state, SL_APP_USAGE, 0, "%s: %s", option, what != NULL ? what : error);
    }
}

static void apply_model(const struct argp_state *state, const struct parse *parse)
{
    char setting[SETTING_BYTES];
    if (parse->check_races != NULL) {
        (void)snprintf(setting, sizeof setting, "debug.races=%s", parse->check_races);
        apply_setting(state, parse, "--check-races", setting);
    }
}

/* Commas separate keys, and what a list has: what is no KEY=VALUE goes on with the value. */
static void apply_filter(const struct argp_state *state, const struct parse *parse)
{
    char setting[SETTING_BYTES];
    char *rest = parse->trace_filter;
    while (rest != NULL) {
        const char *const first = strsep(&rest, ",");
        if (strchr(first, '=') == NULL) {
            argp_failure(state, SL_APP_USAGE, 0,
                         "--trace-filter: '%s' is not KEY=VALUE, as in kernel=fib_kernel,wave=4-7",
                         first);
        }
        size_t length = (size_t)snprintf(setting, sizeof setting, "trace.%s", first);
        while (rest != NULL && strcspn(rest, "=") >= strcspn(rest, ",") &&
               length < sizeof setting) {
            length += (size_t)snprintf(setting + length, sizeof setting - length, ",%s",
                                       strsep(&rest, ","));
        }
        if (length >= sizeof setting) {
            argp_failure(state, SL_APP_USAGE, 0,
                         "--trace-filter: what begins with '%s' is longer than %zu characters; "
                         "take ranges or patterns",
                         first, sizeof setting - sizeof "trace.");
        }
        apply_setting(state, parse, "--trace-filter", setting);
    }
}

static void apply_sample(const struct argp_state *state, struct parse *parse)
{
    char setting[SETTING_BYTES];
    char *file = parse->sample;
    if (file == NULL) {
        return;
    }
    (void)snprintf(setting, sizeof setting, "sample.interval=%s", strsep(&file, ":"));
    apply_setting(state, parse, "--sample", setting);
    if (parse->options->config.number[SL_CFG_SAMPLE_INTERVAL] == 0) {
        argp_failure(state, SL_APP_USAGE, 0, "--sample: the interval is at least one cycle");
    }
    parse->output[SL_APP_SAMPLE] = file;
}

static void apply_settings(struct argp_state *state, struct parse *parse)
{
    char error[ERROR_BYTES];
    for (size_t i = 0; i < parse->setting_count; i++) {
        if (sl_config_set(&parse->options->config, parse->settings[i], error, sizeof error) != 0) {
            argp_failure(state, SL_APP_USAGE, 0, "%s", error);
        }
    }
    apply_model(state, parse);
    apply_filter(state, parse);
    apply_sample(state, parse);
    if (sl_config_check(&parse->options->config, error, sizeof error) != 0) {
        argp_failure(state, SL_APP_USAGE, 0, "%s", error);
    }
}

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
    struct parse *const parse = state->input;
    char error[ERROR_BYTES];
    switch (key) {
    case 'c':
        if (sl_config_read(&parse->options->config, argument, error, sizeof error) != 0) {
            argp_failure(state, SL_APP_USAGE, 0, "%s", error);
        }
        return 0;
    case 's':
        parse->settings[parse->setting_count++] = argument;
        return 0;
    case 'o':
        parse->output[SL_APP_STATS] = argument;
        return 0;
    case KEY_OUTPUT + SL_APP_PROFILE:
    case KEY_OUTPUT + SL_APP_KERNEL_PROFILE:
    case KEY_OUTPUT + SL_APP_TIMELINE:
    case KEY_OUTPUT + SL_APP_REPORT:
    case KEY_OUTPUT + SL_APP_TRACE:
    case KEY_OUTPUT + SL_APP_RACES:
        parse->output[key - KEY_OUTPUT] = argument;
        return 0;
    case KEY_OUTPUT + SL_APP_SAMPLE:
        parse->sample = argument;
        return 0;
    case KEY_TRACE_FILTER:
        parse->trace_filter = argument;
        return 0;
    case KEY_CHECK_RACES:
        parse->check_races = argument;
        return 0;
    case 'q':
        parse->options->is_quiet = true;
        sl_app_be_quiet(true);
        return 0;
    case ARGP_KEY_END:
        apply_settings(state, parse);
        sl_app_take_outputs(state, parse->output, parse->options);
        check_trace(state, parse);
        check_races(state, parse);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The parser above both: hands each its input. */
static error_t parse_top(int key, char *argument, struct argp_state *state)
{
    struct parse *const parse = state->input;
    (void)argument;
    if (key != ARGP_KEY_INIT) {
        return ARGP_ERR_UNKNOWN;
    }
    state->child_inputs[0] = parse->own;
    state->child_inputs[1] = parse;
    return 0;
}

/* Standard output is a pipe whose reader has gone, as that of `head` has. */
static bool is_unread(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/* At the program's end: a result that could not be written is none. Where nobody reads it the
 * program ends as others do, by SIGPIPE; a failure that has been told stays one. */
static void close_output(int exit_status, void *unused)
{
    struct sl_write_guard guard;
    const bool was_unread = is_unread();
    (void)unused;

    sl_write_hold(&guard);
    const bool is_written = ferror(stdout) == 0 && fclose(stdout) == 0;
    sl_write_release(&guard);
    if (is_written || (was_unread && exit_status != SL_APP_RIGHT)) {
        return;
    }
    if (was_unread) {
        (void)raise(SIGPIPE);
    }
    (void)fprintf(stderr, "%s: cannot write to standard output\n", program_invocation_short_name);
    _exit(SL_APP_MACHINE);
}

void sl_app_read(const struct sl_app *app, int argc, char **argv, struct sl_app_options *options)
{
    static const struct argp common = {common_options, parse_common, NULL, NULL, NULL, NULL, NULL};
    struct parse parse = {
        .options = options,
        .own = sl_arguments_new(app),
        .settings = calloc((size_t)argc, sizeof *parse.settings),
    };

    sl_standard_occupy();
    options->stats = NULL;
    options->is_quiet = false;
    sl_config_init(&options->config);
    argp_err_exit_status = SL_APP_USAGE;
    sl_write_catch_limit();
    sl_standard_children();
    (void)on_exit(close_output, NULL);
    if (parse.own == NULL || parse.settings == NULL) {
        argp_failure(NULL, SL_APP_MACHINE, ENOMEM, "the command line");
    }
    const struct argp_child children[] = {
        {sl_arguments_argp(parse.own), 0, NULL, 0},
        {&common, 0, "Options of all Sluice programs:", 1},
        {0},
    };
    const struct argp top = {.parser = parse_top, .children = children};
    const error_t reason = argp_parse(&top, argc, argv, 0, NULL, &parse);
    if (reason != 0) {
        argp_failure(NULL, reason == ENOMEM ? SL_APP_MACHINE : SL_APP_USAGE, reason,
                     "the command line");
    }
    free(parse.settings);
    sl_arguments_free(parse.own);
}
