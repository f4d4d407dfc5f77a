/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Files that programs leave: never half of one under its name. A file is written beside its name
 * (temp_file.h), and takes the name, with the permissions and the owner of the file that was there,
 * when it is whole and on the disk; where anything fails, the disk is full for one, what was there
 * stays as it is. What is no regular file is neither removed nor replaced: a device, a FIFO,
 * /dev/stdout is written to, and of a link what it names is meant.
 *
 * Where the folder lets no file be made, or the name cannot be moved (a mount, another's file in a
 * sticky folder), but the file may be written: it is made whole in memory, the disk's room for it
 * is asked for, and it is copied over what was there. A process that is killed in the midst of
 * that copy leaves a mixture. */
#ifndef SLUICE_HOST_BASE_ATOMIC_FILE_H
#define SLUICE_HOST_BASE_ATOMIC_FILE_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "host/base/output_target.h"

/* Not to be moved while it is open. */
struct sl_output {
    FILE *file; /* to write to; NULL where it could not be opened, */
    int reason; /* for this errno; later the first that writing has failed for */
    struct sl_target place;
    char path[PATH_MAX];   /* as it was given */
    char beside[PATH_MAX]; /* where it is until it is whole; empty: it has no name, or no other */
    int fd;
};

/* Opens a file for `path`. Returns 0 or an errno, which sl_output_close() returns again. */
int sl_output_open(struct sl_output *output, const char *path);

/* Ends what sl_output_open() began, whatever came of that. Returns 0 where the file is whole, on
 * the disk and under its name; else the first of what stands against it: that it could not be
 * opened, `reason` (the errno of what went wrong meanwhile, or 0), that writing failed. What was
 * under the name stays then, but for what is no regular file. */
int sl_output_close(struct sl_output *output, int reason);

/* A file of one JSON value, formatted by jansson's flags, and a newline. Returns as
 * sl_output_close(). */
int sl_output_json(const char *path, const json_t *value, size_t flags);

/* Whether it would be copied over what is there, because no file can be made in the folder: then
 * that folder is left in `folder`, of PATH_MAX bytes. */
bool sl_output_is_copied(const char *path, char *folder);

/* Has the disk take a file, or the entries of a folder. Returns 0 or an errno; what cannot be
 * synced, such as a pipe, is fine. */
int sl_output_sync(int fd);
int sl_output_sync_folder(const char *folder);

#endif
