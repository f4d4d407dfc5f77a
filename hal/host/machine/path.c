/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Paths. What is said of an output file holds for the moment: whoever opens the file later has to
 * look at the result all the same. */
#include "host/machine/path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
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
