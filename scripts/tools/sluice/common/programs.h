/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Host programs: Sluice's own are beside the command, those of users have a path or are in PATH.
 * And running what is not part of the command. */
#ifndef SLUICE_CLI_PROGRAMS_H
#define SLUICE_CLI_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/command.h"

/* Whether it has a slash. */
bool cli_is_path(const char *name);

/* Whether a program of this name is beside the command: a name without a slash, and executable. */
bool cli_is_own_program(const char *name);

/* Where a program is: a name with a slash is its path; another one is beside the command, or else
 * in PATH. Returns 0, or -1 where there is none that can be executed. */
int cli_find_program(const char *name, char *out, size_t bytes);

/* The same as an exit status, with a message where there is none. */
int cli_check_program(const struct cli_command *command, const char *name);

/* Prints the names of our own host programs, those with a kernel file, one to a line. */
void cli_list_programs(FILE *out);

/* Becomes another program: returns only where that fails, with the status of the failure and a
 * message. */
int cli_become(const struct cli_command *command, const char *path, char *const *argv);

#endif
