/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Paths. What is said of an output file holds for the moment: whoever opens the file later has to
 * look at the result all the same. */
#include "host/driver/machine/paths.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/install_paths.h"
#include "host/base/output_target.h"

/* The folder in which a file of that name would be made. */
static int check_folder(const char *path)
{
    char name[PATH_MAX];
    sl_target_folder(path, name);
    struct stat state;
    if (stat(name, &state) != 0) {
        return errno;
    }
    if (!S_ISDIR(state.st_mode)) {
        return ENOTDIR;
    }
    return access(name, W_OK | X_OK) == 0 ? 0 : errno;
}

int sl_path_beside_program(const char *path, char *out, size_t bytes)
{
    char program[PATH_MAX];
    if (sl_program_directory(program, sizeof program) != 0) {
        return -1;
    }
    if ((size_t)snprintf(out, bytes, "%s/%s", program, path) >= bytes) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return 0;
}

/* Whether it is a file that can be executed: 0, or errno. */
static int check_program(const char *path)
{
    struct stat state;
    if (stat(path, &state) != 0) {
        return errno;
    }
    if (!S_ISREG(state.st_mode)) {
        return S_ISDIR(state.st_mode) ? EISDIR : EACCES;
    }
    return access(path, X_OK) == 0 ? 0 : errno;
}

int sl_path_find_program(const char *name, char *out, size_t bytes)
{
    if (name[0] == '\0') {
        return ENOENT;
    }
    if (strchr(name, '/') != NULL) {
        return (size_t)snprintf(out, bytes, "%s", name) < bytes ? check_program(out) : ENAMETOOLONG;
    }
    const char *folder = getenv("PATH");
    if (folder == NULL) {
        folder = "/usr/local/bin:/usr/bin:/bin";
    }
    int reason = ENOENT;
    while (folder != NULL) {
        const size_t length = strcspn(folder, ":");
        const int written =
            snprintf(out, bytes, "%.*s/%s", (int)length, length > 0 ? folder : ".", name);
        if (written > 0 && (size_t)written < bytes) {
            const int found = check_program(out);
            if (found == 0) {
                return 0;
            }
            reason = found == EACCES ? EACCES : reason;
        }
        folder = folder[length] == ':' ? folder + length + 1 : NULL;
    }
    return reason;
}

int sl_path_check_output(const char *path)
{
    struct sl_target place;
    const int reason = sl_target_resolve(&place, path);

    if (reason != 0 || place.kind == SL_TARGET_DESCRIPTOR) {
        return reason;
    }
    if (place.kind == SL_TARGET_FREE) {
        return check_folder(place.path);
    }
    return access(place.path, W_OK) == 0 ? 0 : errno;
}

bool sl_path_is_short(int reason)
{
    return reason == EMFILE || reason == ENFILE || reason == ENOMEM || reason == ENOSPC ||
           reason == EDQUOT || reason == EAGAIN;
}

enum sl_status sl_path_status(int reason)
{
    return sl_path_is_short(reason) ? SL_ERROR_MACHINE : SL_ERROR_USAGE;
}
