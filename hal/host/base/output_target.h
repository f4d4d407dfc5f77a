/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is under the name of a file that is to be written. Links are followed: what they name is
 * meant, and they stay. */
#ifndef SLUICE_HOST_BASE_OUTPUT_TARGET_H
#define SLUICE_HOST_BASE_OUTPUT_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

enum sl_target_kind {
    SL_TARGET_FREE,   /* nothing: a file can be made */
    SL_TARGET_FILE,   /* a regular file, which can be replaced */
    SL_TARGET_STREAM, /* a device, a FIFO, what another process has open: to write to, at its end */
    SL_TARGET_DESCRIPTOR, /* what this process has open: /dev/stdout, /dev/fd/N */
};

struct sl_target {
    enum sl_target_kind kind;
    char path[PATH_MAX]; /* behind all links */
    struct stat state;   /* of a file */
    int fd;              /* of a descriptor */
};

/* Returns 0, or the errno of why nothing can be written there: EISDIR of a folder. */
int sl_target_resolve(struct sl_target *place, const char *path);

/* Whether what is written there becomes a file of its own, which can be written anew: no stream. */
bool sl_target_is_file(const struct sl_target *place);

/* Opens a stream or a descriptor to write to: neither made nor emptied. Returns the descriptor, or
 * -1 with errno. */
int sl_target_open(const struct sl_target *place);

/* Opens a file that is written while a program runs, and read meanwhile: one that is there is
 * emptied. Returns the descriptor, or -1 with errno. */
int sl_target_open_growing(const struct sl_target *place);

/* The folder in which the name is, "." where it has none: into `out`, of PATH_MAX bytes. */
void sl_target_folder(const char *path, char *out);

/* The name in its folder. */
const char *sl_target_name(const char *path);

/* Whether a reason speaks of the name, which is for the user to change, and not of the machine: of
 * its disk, its memory, its limits. */
bool sl_target_is_of_name(int reason);

#endif
