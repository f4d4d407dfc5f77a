/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Temporary folders of a command. Each is locked (flock(2)) while its command runs: one that nobody
 * locks was left by a command that was killed, and goes when the next one is made. */
#ifndef SLUICE_CLI_OWN_FOLDER_H
#define SLUICE_CLI_OWN_FOLDER_H

#include <limits.h>

struct own_folder {
    char path[PATH_MAX];
    int lock; /* the folder, open; negative: none */
};

/* Makes one, NAME.XXXXXX, in $TMPDIR or else /tmp, and removes those of this name and of this user
 * that were left there. Returns 0, or -1 with errno. */
int own_folder_make(struct own_folder *folder, const char *name);

/* Removes it with all that is in it. */
void own_folder_remove(struct own_folder *folder);

/* Removes a folder, if there is one, with all that is in it; what cannot be removed is left. */
void folder_remove(const char *path);

#endif
