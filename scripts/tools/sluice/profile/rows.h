/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a profile has a row of for each program: a core, with a policy and a firmware image where
 * the user names some. Each is an axis of the sweep. */
#ifndef SLUICE_CLI_PROFILE_ROWS_H
#define SLUICE_CLI_PROFILE_ROWS_H

#include "sweep/sweep.h"

#define ROWS_CORE     "core"
#define ROWS_POLICY   "policy"
#define ROWS_FIRMWARE "firmware"

/* Lists of a command line, "simple,mine.ini"; NULL for those that it does not have. */
struct rows_request {
    const char *cores;
    const char *policies;
    const char *images;
};

/* Adds the axes to what the request varies; its programs, configurations and settings are there.
 * Returns an exit status, with a message. */
int rows_add(const struct cli_command *command, const struct rows_request *rows,
             struct sweep_request *request);

#endif
