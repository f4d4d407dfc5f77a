/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What all sub-commands do alike: messages, and the parsing of their lines. */
#define _GNU_SOURCE 1
#include "common/command.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

int cli_fail(const struct cli_command *command, enum cli_exit status, const char *format, ...)
{
    va_list arguments;

    (void)fflush(stdout);
    (void)fprintf(stderr, "sluice %s: ", command->name);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    return (int)status;
}

/* argp shows what stands after \v behind the options: there is the example. */
static char *help_filter(int key, const char *text, void *input)
{
    const struct cli_command *const command = input;
    char *out = NULL;

    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)(uintptr_t)text;
    }
    return asprintf(&out, "%s%sExample:\n\n  %s", text != NULL ? text : "",
                    text != NULL ? "\n\n" : "", command->example) < 0
               ? NULL
               : out;
}

struct line {
    const struct cli_command *command;
    void *input;
};

/* Stands above the command's own parser, to give the help filter its input. */
static error_t parse_top(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key != ARGP_KEY_INIT) {
        return ARGP_ERR_UNKNOWN;
    }
    state->child_inputs[0] = ((const struct line *)state->input)->input;
    return 0;
}

static char *top_filter(int key, const char *text, void *input)
{
    return help_filter(key, text, (void *)(uintptr_t)((const struct line *)input)->command);
}

void cli_parse(const struct cli_command *command, int argc, char **argv, unsigned flags,
               void *input)
{
    struct argp own = *command->argp;
    own.args_doc = NULL;
    own.doc = NULL;
    const struct argp_child children[] = {{&own, 0, NULL, 0}, {0}};
    const struct argp top = {
        .parser = parse_top,
        .args_doc = command->argp->args_doc,
        .doc = command->argp->doc,
        .children = children,
        .help_filter = top_filter,
    };
    struct line line = {.command = command, .input = input};
    char name[64];

    (void)snprintf(name, sizeof name, "sluice %s", command->name);
    argv[0] = name;
    argp_err_exit_status = CLI_USAGE;
    const error_t reason = argp_parse(&top, argc, argv, flags, NULL, &line);
    if (reason != 0) {
        argp_failure(NULL, CLI_USAGE, reason, "%s", name);
    }
}
