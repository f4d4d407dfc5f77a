/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Files that programs leave: never half of one under its name. A file is written beside its name,
 * as NAME.PID, and renamed when it is whole. What is there and no regular file (a device, a FIFO, a
 * link to a file) is written to; so is a file in a folder in which nothing else can be made. */
#ifndef SLUICE_HOST_OUTPUT_H
#define SLUICE_HOST_OUTPUT_H

#include <jansson.h>
#include <limits.h>
#include <stdio.h>

struct sl_output {
    FILE *file; /* to write to; NULL where it could not be opened, */
    int reason; /* for this errno */
    char path[PATH_MAX];
    char beside[PATH_MAX]; /* where it is until then; empty: it is written to */
};

/* Opens a file for `path`. Returns 0 or an errno, which sl_output_close() returns again. */
int sl_output_open(struct sl_output *output, const char *path);

/* Ends what sl_output_open() began, whatever came of that. Returns 0 where the file is whole and
 * under its name; else the first of what stands against it: that it could not be opened, `reason`
 * (the errno of what went wrong meanwhile, or 0), that writing failed. What was under the name
 * stays then, unless it was written to. */
int sl_output_close(struct sl_output *output, int reason);

/* A file of one JSON value, formatted by jansson's flags, and a newline. Returns as
 * sl_output_close(). */
int sl_output_json(const char *path, const json_t *value, size_t flags);

#endif
