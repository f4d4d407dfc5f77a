/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The rows of a profile from the command line's lists. What is wrong with them is said before
 * anything runs. */
#define _GNU_SOURCE 1
#include "profile/rows.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/programs.h"
#include "host/base/text.h"
#include "host/base/utf8.h"
#include "sluice/sluice.h"

#define ALL       "all"
#define BUILT_IN  "built-in"
#define CORE_FILE ".ini"
#define IMAGE     ".flash"
#define OPTION    "--policy"

/* An axis under construction. */
struct axis {
    const struct cli_command *command;
    const char *option; /* for messages */
    json_t *names;
    json_t *options;
};

static bool has_name(const struct axis *axis, const char *name)
{
    size_t i;
    const json_t *one;

    json_array_foreach(axis->names, i, one)
    {
        if (strcmp(json_string_value(one), name) == 0) {
            return true;
        }
    }
    return false;
}

/* Takes the options over. */
static int add(const struct axis *axis, const char *name, json_t *options)
{
    if (has_name(axis, name)) {
        json_decref(options);
        return cli_fail(axis->command, CLI_USAGE, "%s: two rows would be called '%s'", axis->option,
                        name);
    }
    json_array_append_new(axis->names, json_string(name));
    json_array_append_new(axis->options, options);
    return CLI_DONE;
}

/* A file's name without folders and without the ending. */
static void name_of_file(const char *path, const char *ending, char name[NAME_MAX + 1])
{
    const char *const slash = strrchr(path, '/');
    (void)snprintf(name, NAME_MAX + 1, "%s", slash != NULL ? slash + 1 : path);
    const size_t length = strlen(name);
    if (length > strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0) {
        name[length - strlen(ending)] = '\0';
    }
}

/* Where each run finds it. Returns an exit status. */
static int find_file(const struct axis *axis, const char *what, const char *text,
                     char path[PATH_MAX])
{
    if (realpath(text, path) == NULL || access(path, R_OK) != 0) {
        return cli_fail(axis->command, CLI_USAGE, "%s: no %s '%s': %s", axis->option, what, text,
                        strerror(errno));
    }
    return sl_utf8_is(path) ? CLI_DONE
                            : cli_fail(axis->command, CLI_USAGE, "%s: the path '%s' is not UTF-8",
                                       axis->option, path);
}

/* ---- cores ---- */

static const char *core_words(void)
{
    return sl_config_table[SL_CFG_AGG_CORE].choices;
}

static bool is_built_in(const char *name)
{
    json_t *const words = sweep_split(core_words(), " ");
    const struct axis built_in = {.names = words};
    const bool is_one = has_name(&built_in, name);
    json_decref(words);
    return is_one;
}

static int add_built_in(const struct axis *axis, const struct sweep_request *request,
                        const char *core)
{
    char name[NAME_MAX + 1];

    if (!is_built_in(core)) {
        return cli_fail(axis->command, CLI_USAGE,
                        "%s: there is no core '%s'; all, %s, or a configuration file whose name "
                        "ends in %s or has a slash",
                        axis->option, core, core_words(), CORE_FILE);
    }
    sweep_core_label(request, core, name, sizeof name);
    return add(axis, name, json_pack("[s, o]", "--set", json_sprintf("agg.core=%s", core)));
}

static int add_core_file(const struct axis *axis, const char *text)
{
    char path[PATH_MAX];
    char name[NAME_MAX + 1];
    const int status = find_file(axis, "configuration file", text, path);

    if (status != CLI_DONE) {
        return status;
    }
    name_of_file(path, CORE_FILE, name);
    if (is_built_in(name)) {
        return cli_fail(axis->command, CLI_USAGE,
                        "%s: '%s' has the name of a built-in core; rename the file", axis->option,
                        text);
    }
    return add(axis, name, json_pack("[s, s]", "--config", path));
}

static bool is_file(const char *core)
{
    const size_t length = strlen(core);
    const size_t ending = strlen(CORE_FILE);

    return strchr(core, '/') != NULL ||
           (length > ending && strcmp(core + length - ending, CORE_FILE) == 0);
}

static int add_core(const struct axis *axis, const struct sweep_request *request, const char *core)
{
    if (strcmp(core, ALL) != 0) {
        return is_file(core) ? add_core_file(axis, core) : add_built_in(axis, request, core);
    }
    json_t *const words = sweep_split(core_words(), " ");
    int status = CLI_DONE;
    size_t i;
    const json_t *word;
    json_array_foreach(words, i, word)
    {
        status = status == CLI_DONE ? add_built_in(axis, request, json_string_value(word)) : status;
    }
    json_decref(words);
    return status;
}

/* ---- policies ---- */

/* Whether the help of a program has the option. */
static bool has_option(const char *program)
{
    char path[SWEEP_PATH_MAX];
    char shell[2 * SWEEP_PATH_MAX] = "";
    char line[1024];
    bool is_there = false;

    if (cli_find_program(program, path, sizeof path) != 0) {
        return true; /* the plan says so */
    }
    sl_text_append_quoted(shell, sizeof shell, path);
    sl_text_append(shell, sizeof shell, " --help 2>/dev/null </dev/null");
    FILE *const help = popen(shell, "re");
    while (help != NULL && fgets(line, sizeof line, help) != NULL) {
        is_there |= strstr(line, " " OPTION "=") != NULL;
    }
    if (help != NULL) {
        (void)pclose(help);
    }
    return is_there;
}

static int check_programs(const struct axis *axis, const struct sweep_request *request)
{
    size_t i;
    const json_t *program;

    json_array_foreach(request->programs, i, program)
    {
        const char *const name = json_string_value(json_array_get(program, 0));
        if (!has_option(name)) {
            return cli_fail(axis->command, CLI_USAGE,
                            "%s: program '%s' has no option " OPTION
                            "; its graph's policy is fixed",
                            axis->option, name);
        }
    }
    return CLI_DONE;
}

static void tell_policies(char *out, size_t bytes)
{
    out[0] = '\0';
    for (unsigned policy = 0; sl_policy_name(policy) != NULL; policy++) {
        sl_text_append(out, bytes, "%s%s", policy > 0 ? ", " : "", sl_policy_name(policy));
    }
}

static bool is_policy(const char *text)
{
    const size_t length = strcspn(text, ":"); /* flags follow */

    for (unsigned policy = 0; sl_policy_name(policy) != NULL; policy++) {
        const char *const name = sl_policy_name(policy);
        if (strlen(name) == length && strncmp(name, text, length) == 0) {
            return true;
        }
    }
    return false;
}

static int add_policy(const struct axis *axis, const struct sweep_request *request,
                      const char *policy)
{
    char known[512];

    (void)request;
    if (!is_policy(policy)) {
        tell_policies(known, sizeof known);
        return cli_fail(axis->command, CLI_USAGE, "%s: there is no policy '%s'; %s", axis->option,
                        policy, known);
    }
    return add(axis, policy, json_pack("[o]", json_sprintf(OPTION "=%s", policy)));
}

/* ---- firmware ---- */

static int add_image(const struct axis *axis, const struct sweep_request *request, const char *text)
{
    char path[PATH_MAX];
    char name[NAME_MAX + 1];

    (void)request;
    if (strcmp(text, BUILT_IN) == 0) {
        return add(axis, BUILT_IN, json_pack("[s, s]", "--set", "host.flash="));
    }
    const int status = find_file(axis, "firmware image", text, path);
    if (status != CLI_DONE) {
        return status;
    }
    name_of_file(path, IMAGE, name);
    return add(axis, name, json_pack("[s, o]", "--set", json_sprintf("host.flash=%s", path)));
}

/* ---- all of them ---- */

typedef int add_value(const struct axis *axis, const struct sweep_request *request,
                      const char *text);

static int add_axis(const struct cli_command *command, struct sweep_request *request,
                    const char *key, const char *option, const char *list, add_value *add_one)
{
    const struct axis axis = {command, option, json_array(), json_array()};
    json_t *const values = sweep_values(list);
    int status = CLI_DONE;
    size_t i;
    const json_t *value;

    if (values == NULL) {
        status = cli_fail(command, CLI_USAGE, "%s %s: a name is empty", option, list);
    }
    json_array_foreach(values, i, value)
    {
        status = status == CLI_DONE ? add_one(&axis, request, json_string_value(value)) : status;
    }
    json_decref(values);
    json_array_append_new(request->varied, json_pack("{s:s, s:o, s:o}", "key", key, "values",
                                                     axis.names, "options", axis.options));
    if (status == CLI_DONE && add_one == add_policy) {
        status = check_programs(&axis, request);
    }
    return status;
}

int rows_add(const struct cli_command *command, const struct rows_request *rows,
             struct sweep_request *request)
{
    int status = add_axis(command, request, ROWS_CORE, "--cores", rows->cores, add_core);

    if (status == CLI_DONE && rows->policies != NULL) {
        status = add_axis(command, request, ROWS_POLICY, "--policies", rows->policies, add_policy);
    }
    if (status == CLI_DONE && rows->images != NULL) {
        status = add_axis(command, request, ROWS_FIRMWARE, "--flash", rows->images, add_image);
    }
    return status;
}
