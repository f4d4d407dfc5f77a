/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Paths. What is said of an output file holds for the moment: whoever opens the file later has to
 * look at the result all the same. */
#include "host/machine/path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parts/parts.h"

/* The folder in which a file of that name would be made. */
static int check_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *const slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 0 : (size_t)(slash - path);
    if (length >= sizeof folder) {
        return ENAMETOOLONG;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    const char *const name = slash == NULL ? "." : length == 0 ? "/" : folder;
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
    struct stat state;
    if (stat(path, &state) == 0) {
        if (S_ISDIR(state.st_mode)) {
            return EISDIR;
        }
        return access(path, W_OK) == 0 ? 0 : errno;
    }
    return errno == ENOENT && path[0] != '\0' ? check_folder(path) : errno;
}

bool sl_path_is_short(int reason)
{
    return reason == EMFILE || reason == ENFILE || reason == ENOMEM || reason == ENOSPC ||
           reason == EDQUOT || reason == EAGAIN;
}
