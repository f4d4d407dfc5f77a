/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The programs beside the command, and running what is not part of it. */
#ifndef SLUICE_CLI_PROGRAMS_H
#define SLUICE_CLI_PROGRAMS_H

#include <stdio.h>

#include "common/command.h"

/* Whether a program of this name is beside the command: a name without a slash, and executable. */
int cli_has_program(const char *name);

/* As an exit status, with a message where there is none. */
int cli_check_program(const struct cli_command *command, const char *name);

/* Prints the names of the host programs, those with a kernel file, one to a line. */
void cli_list_programs(FILE *out);

/* Becomes another program: returns only where that fails, with the status of the failure and a
 * message. */
int cli_become(const struct cli_command *command, const char *path, char *const *argv);

#endif
