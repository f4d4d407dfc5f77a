/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is under the name of a file that is to be written. Links are followed: what they name is
 * meant, and they stay. */
#ifndef SLUICE_HOST_BASE_OUTPUT_TARGET_H
#define SLUICE_HOST_BASE_OUTPUT_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

enum sl_place_kind {
    SL_PLACE_FREE,   /* nothing: a file can be made */
    SL_PLACE_FILE,   /* a regular file, which can be replaced */
    SL_PLACE_STREAM, /* a device, a FIFO, what another process has open: to write to, at its end */
    SL_PLACE_DESCRIPTOR, /* what this process has open: /dev/stdout, /dev/fd/N */
};

struct sl_place {
    enum sl_place_kind kind;
    char path[PATH_MAX]; /* behind all links */
    struct stat state;   /* of a file */
    int fd;              /* of a descriptor */
};

/* Returns 0, or the errno of why nothing can be written there: EISDIR of a folder. */
int sl_place_find(struct sl_place *place, const char *path);

/* Whether what is written there becomes a file of its own, which can be written anew: no stream. */
bool sl_place_is_file(const struct sl_place *place);

/* Opens a stream or a descriptor to write to: neither made nor emptied. Returns the descriptor, or
 * -1 with errno. */
int sl_place_open(const struct sl_place *place);

/* Opens a file that is written while a program runs, and read meanwhile: one that is there is
 * emptied. Returns the descriptor, or -1 with errno. */
int sl_place_open_growing(const struct sl_place *place);

/* The folder in which the name is, "." where it has none: into `out`, of PATH_MAX bytes. */
void sl_place_folder(const char *path, char *out);

/* The name in its folder. */
const char *sl_place_name(const char *path);

/* Whether a reason speaks of the name, which is for the user to change, and not of the machine: of
 * its disk, its memory, its limits. */
bool sl_place_is_of_name(int reason);

#endif
