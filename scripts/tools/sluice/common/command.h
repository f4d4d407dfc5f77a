/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The sub-commands of `sluice`: one file each, one entry each in the table. Help, manual page and
 * completion come from the table and from the argp parsers that it names. */
#ifndef SLUICE_CLI_COMMAND_H
#define SLUICE_CLI_COMMAND_H

#include <argp.h>

/* Exit statuses, as of the test programs (docs/learn/programming.md). */
enum cli_exit {
    CLI_DONE = 0,
    CLI_WRONG = 1, /* what was checked is not as it should be */
    CLI_USAGE = 2,
    CLI_FAILED = 3, /* something that was needed could not be had or failed */
};

struct cli_command {
    const char *name;
    const char *sentence;
    const char *example; /* a whole command line that works when pasted */
    const char *words;   /* for completion: sub-commands, separated by spaces, or NULL */
    const struct argp *argp;
    int (*run)(const struct cli_command *command, int argc, char **argv); /* an exit status */
    /* The same in place of run, where it is about all commands; the last of these is NULL. */
    int (*run_on_all)(const struct cli_command *command, int argc, char **argv,
                      const struct cli_command *const *commands);
};

extern const struct cli_command cli_run;
extern const struct cli_command cli_cc;
extern const struct cli_command cli_new;
extern const struct cli_command cli_report;
extern const struct cli_command cli_profile;
extern const struct cli_command cli_annotate;
extern const struct cli_command cli_sweep;
extern const struct cli_command cli_config;
extern const struct cli_command cli_flash;
extern const struct cli_command cli_doctor;
extern const struct cli_command cli_manual;
extern const struct cli_command cli_completion;

/* Parses a command's line: argv[0] is the command's name. Usage errors and --help end the
 * program. */
void cli_parse(const struct cli_command *command, int argc, char **argv, unsigned flags,
               void *input);

/* Prints "sluice NAME: message" on standard error and returns `status`. */
int cli_fail(const struct cli_command *command, enum cli_exit status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
