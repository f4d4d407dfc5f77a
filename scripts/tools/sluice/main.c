/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice: the command that runs, profiles and looks after machines. It finds the sub-command and
 * hands it the rest of the line. */
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "common/programs.h"

const struct cli_command *const cli_commands[] = {
    &cli_run,   &cli_report, &cli_profile, &cli_annotate,   &cli_sweep, &cli_config,
    &cli_flash, &cli_doctor, &cli_manual,  &cli_completion, NULL,
};

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
