/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice: the command that runs, profiles and looks after machines. It finds the sub-command and
 * hands it the rest of the line. */
#define _GNU_SOURCE 1
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "programs.h"

const struct cli_command *const cli_commands[] = {
    &cli_run,    &cli_profile, &cli_sweep,      &cli_config, &cli_flash,
    &cli_doctor, &cli_manual,  &cli_completion, NULL,
};

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

static void print_help(FILE *out)
{
    (void)fprintf(out, "usage: sluice COMMAND [ARGUMENT...]\n\n");
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        (void)fprintf(out, "  %-11s %s\n", cli_commands[i]->name, cli_commands[i]->sentence);
    }
    (void)fprintf(out, "\n`sluice COMMAND --help` shows its options and an example.\n");
}

static const struct cli_command *find(const char *name)
{
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        if (strcmp(cli_commands[i]->name, name) == 0) {
            return cli_commands[i];
        }
    }
    return NULL;
}

/* Output that nobody could read is none. */
static int finish(int status)
{
    if (ferror(stdout) != 0 || fclose(stdout) != 0) {
        (void)fprintf(stderr, "sluice: cannot write to standard output\n");
        return CLI_FAILED;
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return finish(CLI_DONE);
    }
    const struct cli_command *const command = find(argv[1]);
    if (command == NULL) {
        (void)fprintf(stderr, "sluice: there is no command '%s'\n", argv[1]);
        print_help(stderr);
        return CLI_USAGE;
    }
    return finish(command->run(command, argc - 1, argv + 1));
}
