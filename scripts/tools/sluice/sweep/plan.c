/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From what the user asks for to a list of runs. Whatever is wrong with one of them is said before
 * the first one starts. */
#define _GNU_SOURCE 1
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/programs.h"
#include "host/observe/profile/firmware_profile.h"
#include "sluice/config.h"
#include "sweep/sweep.h"

#define ERROR_BYTES   1024
#define SETTING_BYTES 640

/* The values of one combination, counted like an odometer: the last key turns fastest. */
static json_t *combination(const json_t *varied, size_t number)
{
    json_t *const values = json_array();

    for (size_t i = json_array_size(varied); i > 0; i--) {
        const json_t *const choices = json_object_get(json_array_get(varied, i - 1), "values");
        json_array_insert(values, 0, json_array_get(choices, number % json_array_size(choices)));
        number /= json_array_size(choices);
    }
    return values;
}

static void append_option(json_t *words, const char *option, const char *value)
{
    json_array_append_new(words, json_string(option));
    json_array_append_new(words, json_string(value));
}

/* A program's option is varied like a key: "--channels". */
static bool is_option(const char *text)
{
    return text[0] == '-';
}

/* "section.key=VALUE", or "--option=VALUE", of value number `i` of a combination. */
static const char *setting_of(const struct sweep_request *request, size_t i, const json_t *value,
                              char setting[SETTING_BYTES])
{
    const json_t *const key = json_object_get(json_array_get(request->varied, i), "key");
    (void)snprintf(setting, SETTING_BYTES, "%s=%s", json_string_value(key),
                   json_string_value(value));
    return setting;
}

/* A program with its arguments, the former so that each run finds it, from whatever folder it is
 * started: Sluice's own by name, another one by its path. */
static json_t *program_words(const json_t *program)
{
    json_t *const words = json_deep_copy(program);
    const char *const name = json_string_value(json_array_get(words, 0));
    char found[SWEEP_PATH_MAX];
    char path[PATH_MAX];

    if (!cli_is_own_program(name) && cli_find_program(name, found, sizeof found) == 0 &&
        realpath(found, path) != NULL) {
        json_array_set_new(words, 0, json_string(path));
    }
    return words;
}

/* What a value stands for, where its axis says so; else NULL. */
static const json_t *options_of(const json_t *varied, const json_t *value)
{
    const json_t *const options = json_object_get(varied, "options");
    size_t i;
    const json_t *one;

    json_array_foreach(json_object_get(varied, "values"), i, one)
    {
        if (json_equal(one, value)) {
            return json_array_get(options, i);
        }
    }
    return NULL;
}

/* The options that make a run's machine, and those that are varied. */
static json_t *machine_words(const struct sweep_request *request, const json_t *values)
{
    json_t *const words = json_array();
    char setting[SETTING_BYTES];
    size_t i;
    const json_t *text;

    json_array_foreach(request->configs, i, text)
    {
        append_option(words, "--config", json_string_value(text));
    }
    json_array_foreach(request->settings, i, text)
    {
        append_option(words, "--set", json_string_value(text));
    }
    json_array_foreach(values, i, text)
    {
        const json_t *const options = options_of(json_array_get(request->varied, i), text);
        if (options != NULL) {
            json_array_extend(words, (json_t *)(uintptr_t)options);
        } else if (is_option(setting_of(request, i, text, setting))) {
            json_array_append_new(words, json_string(setting));
        } else {
            append_option(words, "--set", setting);
        }
    }
    return words;
}

/* The command line of a run: the program with its arguments, then the machine. */
static json_t *words_of(const json_t *program, const json_t *machine)
{
    json_t *const words = program_words(program);

    json_array_extend(words, (json_t *)(uintptr_t)machine);
    return words;
}

/* As the program will do it, so that its message comes now. */
static int check_machine(const json_t *words, char *error)
{
    static struct sl_config config;

    return sweep_read_machine(words, &config, error, ERROR_BYTES) != 0
               ? -1
               : sl_config_check(&config, error, ERROR_BYTES);
}

/* Whether the firmware's functions have names, without which there is no report: the ELF file is
 * there. */
static bool has_names(const json_t *words)
{
    static struct sl_config config;
    struct sl_firmware_code code;
    char error[ERROR_BYTES];

    sweep_machine(words, &config);
    if (sl_firmware_code_open(&code, &config, error, sizeof error) != SL_OK) {
        return false;
    }
    sl_firmware_code_close(&code);
    return true;
}

static size_t count_combinations(const json_t *varied)
{
    size_t count = 1;
    size_t i;
    const json_t *key;

    json_array_foreach(varied, i, key)
    {
        count *= json_array_size(json_object_get(key, "values"));
        if (count > SWEEP_RUNS_MAX) {
            return SWEEP_RUNS_MAX + 1;
        }
    }
    return count;
}

static int append_runs(const struct cli_command *command, const struct sweep_request *request,
                       size_t combinations, json_t *runs)
{
    char error[ERROR_BYTES];
    size_t p;
    const json_t *program;

    json_array_foreach(request->programs, p, program)
    {
        const char *const name = json_string_value(json_array_get(program, 0));
        if (cli_check_program(command, name) != CLI_DONE) {
            return CLI_USAGE;
        }
        for (size_t c = 0; c < combinations; c++) {
            json_t *const values = combination(request->varied, c);
            json_t *const machine = machine_words(request, values);
            const int wrong = p == 0 ? check_machine(machine, error) : 0;
            json_t *const run = json_pack("{s:O, s:o, s:o}", "program", program, "values", values,
                                          "words", words_of(program, machine));
            if (request->with_reports && has_names(machine)) {
                json_object_set_new(run, "report", json_true());
            }
            json_array_append_new(runs, run);
            json_decref(machine);
            if (wrong != 0) {
                return cli_fail(command, CLI_USAGE, "%s", error);
            }
        }
    }
    return CLI_DONE;
}

/* A key that is varied twice would be one column with two meanings. */
static const char *find_repeated(const json_t *keys)
{
    for (size_t i = 0; i < json_array_size(keys); i++) {
        for (size_t j = 0; j < i; j++) {
            if (json_equal(json_array_get(keys, i), json_array_get(keys, j))) {
                return json_string_value(json_array_get(keys, i));
            }
        }
    }
    return NULL;
}

json_t *sweep_plan(const struct cli_command *command, const struct sweep_request *request)
{
    const size_t combinations = count_combinations(request->varied);
    json_t *const keys = json_array();
    json_t *const runs = json_array();
    json_t *const plan = json_pack("{s:o, s:o}", "keys", keys, "runs", runs);
    size_t i;
    const json_t *key;

    json_array_foreach(request->varied, i, key)
    {
        json_array_append(keys, json_object_get(key, "key"));
    }
    const char *const repeated = find_repeated(keys);
    if (repeated != NULL) {
        (void)cli_fail(command, CLI_USAGE, "%s is varied twice", repeated);
    } else if (combinations * json_array_size(request->programs) > SWEEP_RUNS_MAX) {
        (void)cli_fail(command, CLI_USAGE, "more than %u runs", SWEEP_RUNS_MAX);
    } else if (append_runs(command, request, combinations, runs) == CLI_DONE) {
        return plan;
    }
    json_decref(plan);
    return NULL;
}
