/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a command line asks of a sweep: the options that commands which run sweeps share. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interval.h"
#include "host/base/text.h"
#include "host/base/utf8.h"
#include "sluice/sluice.h"
#include "sweep/sweep.h"

#define LINE_BYTES 8192

void sweep_request_init(struct sweep_request *request)
{
    *request = (struct sweep_request){.programs = json_array(),
                                      .configs = json_array(),
                                      .settings = json_array(),
                                      .varied = json_array()};
}

void sweep_request_free(struct sweep_request *request)
{
    json_decref(request->programs);
    json_decref(request->configs);
    json_decref(request->settings);
    json_decref(request->varied);
}

int sweep_add_program(json_t *programs, const char *line)
{
    json_t *const words = sweep_words(line);

    if (json_array_size(words) == 0) {
        json_decref(words);
        return -1;
    }
    json_array_append_new(programs, words);
    return 0;
}

int sweep_add_varied(json_t *varied, const char *key, json_t *values)
{
    const int is_empty = json_array_size(values) == 0;

    if (values == NULL) {
        return -1;
    }
    json_array_append_new(varied, json_pack("{s:s, s:o}", "key", key, "values", values));
    return is_empty ? -1 : 0;
}

/* Where each run finds it, from whatever folder it is started. */
static void add_config(const struct argp_state *state, json_t *configs, const char *name)
{
    char path[PATH_MAX];
    const bool is_file = realpath(name, path) != NULL;

    if (json_array_append_new(configs, json_string(is_file ? path : name)) != 0) {
        argp_failure(state, CLI_USAGE, 0, "--config: the path '%s' is not UTF-8", path);
    }
}

long sweep_number(const struct argp_state *state, const char *what, const char *text, long least)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);

    if (errno != 0 || end == text || *end != '\0' || value < least ||
        value > (long)SWEEP_RUNS_MAX) {
        argp_failure(state, CLI_USAGE, 0, "%s: '%s' is not a number from %ld to %u", what, text,
                     least, SWEEP_RUNS_MAX);
    }
    return value;
}

unsigned sweep_seeds(const struct argp_state *state, const char *text)
{
    const long seeds = sweep_number(state, "--seeds", text, 1);

    if (seeds > (long)INTERVAL_RUNS_MAX) {
        argp_failure(state, CLI_USAGE, 0, "--seeds: %ld are too many; at most %u", seeds,
                     INTERVAL_RUNS_MAX);
    }
    return (unsigned)seeds;
}

/* Why sweep_words() has found none. */
static const char *why_no_words(const char *line)
{
    return line[strspn(line, " ")] != '\0' ? "a quote is not closed" : "it is empty";
}

int sweep_check_arguments(const struct cli_command *command, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!sl_utf8_is(argv[i])) {
            return cli_fail(command, CLI_USAGE, "argument %d, '%s': it is not UTF-8", i, argv[i]);
        }
    }
    return CLI_DONE;
}

error_t sweep_parse_common(int key, char *argument, const struct argp_state *state,
                           struct sweep_request *request, struct sweep_engine_options *engine)
{
    switch (key) {
    case 's':
        json_array_append_new(request->settings, json_string(argument));
        return 0;
    case 'c':
        add_config(state, request->configs, argument);
        return 0;
    case 'j':
        engine->jobs = (unsigned)sweep_number(state, "--jobs", argument, 1);
        return 0;
    case ARGP_KEY_ARG:
        if (sweep_add_program(request->programs, argument) != 0) {
            argp_error(state, "'%s' is no program with its arguments: %s", argument,
                       why_no_words(argument));
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

json_t *sweep_line(const struct cli_command *command, int argc, char **argv)
{
    char line[LINE_BYTES];

    (void)snprintf(line, sizeof line, "sluice %s", command->name);
    for (int i = 1; i < argc; i++) {
        sl_text_append(line, sizeof line, " ");
        sl_text_append_quoted(line, sizeof line, argv[i]);
    }
    return sl_json_text(line);
}
