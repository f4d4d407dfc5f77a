/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the parts of Sluice are. */
#define _GNU_SOURCE 1
#include "config/install_paths.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INSTALLED "lib/sluice" /* from the prefix */

static bool is_folder(const char *path)
{
    struct stat state;
    return stat(path, &state) == 0 && S_ISDIR(state.st_mode);
}

/* Of pieces that follow each other. Returns 0, or -1 with errno. */
static int join(char *out, size_t bytes, const char *folder, const char *between, const char *name)
{
    const int length = snprintf(out, bytes, "%s%s%s", folder, between, name);
    if (length < 0 || (size_t)length >= bytes) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return 0;
}

/* The running program's file. */
static int program_file(char out[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (length < 0) {
        return -1;
    }
    out[length] = '\0';
    return 0;
}

int sl_program_directory(char *out, size_t bytes)
{
    char file[PATH_MAX];
    if (program_file(file) != 0) {
        return -1;
    }
    *strrchr(file, '/') = '\0'; /* the path is absolute */
    return join(out, bytes, file, "", "");
}

/* The file that this code was loaded from: the dynamic linker has no name for the program's own. */
static int code_file(char out[PATH_MAX])
{
    Dl_info info;
    struct link_map *loaded = NULL;
    if (dladdr1((const void *)&is_folder, &info, (void **)&loaded, RTLD_DL_LINKMAP) == 0 ||
        loaded == NULL || loaded->l_name[0] == '\0') {
        return program_file(out);
    }
    return realpath(loaded->l_name, out) != NULL ? 0 : -1;
}

int sl_home_of(const char *file, const char *part, char *out, size_t bytes)
{
    char folder[PATH_MAX];
    const char *const slash = strrchr(file, '/');
    const bool is_library = slash != NULL && strstr(slash, ".so") != NULL;
    if (slash == NULL || join(folder, sizeof folder, file, "", "") != 0) {
        errno = slash == NULL ? EINVAL : errno;
        return -1;
    }
    folder[slash - file] = '\0';
    char installed[PATH_MAX];
    if (is_library && join(installed, sizeof installed, folder, "/", "sluice") == 0 &&
        is_folder(installed)) {
        return join(out, bytes, installed, "/", part);
    }
    char *const last = strrchr(folder, '/');
    if (last != NULL) {
        *last = '\0';
    }
    return join(out, bytes, folder, "/", part);
}

/* What the environment says: a prefix, or home itself. */
static int named_path(const char *named, const char *part, char *out, size_t bytes)
{
    char installed[PATH_MAX];
    const bool is_prefix =
        join(installed, sizeof installed, named, "/", INSTALLED) == 0 && is_folder(installed);
    return join(out, bytes, is_prefix ? installed : named, "/", part);
}

static const char *named_home(void)
{
    const char *const named = getenv("SLUICE_HOME");
    return named == NULL || named[0] == '\0' ? NULL : named;
}

int sl_home_path(const char *part, char *out, size_t bytes)
{
    const char *const named = named_home();
    if (named != NULL) {
        return named_path(named, part, out, bytes);
    }
    char file[PATH_MAX];
    return code_file(file) == 0 ? sl_home_of(file, part, out, bytes) : -1;
}

enum sl_home_kind sl_home_kind(void)
{
    char path[PATH_MAX];
    if (sl_home_path("stamps", path, sizeof path) == 0 && is_folder(path)) {
        return SL_HOME_BUILD;
    }
    const char *const tail = "/" INSTALLED "/";
    if (sl_home_path("", path, sizeof path) != 0 || strlen(path) < strlen(tail)) {
        return SL_HOME_NONE;
    }
    return strcmp(path + strlen(path) - strlen(tail), tail) == 0 ? SL_HOME_INSTALLED : SL_HOME_NONE;
}

const char *sl_home_advice(const char *target, char *out, size_t bytes)
{
    const enum sl_home_kind kind = sl_home_kind();
    const char *const named = named_home();
    if (kind == SL_HOME_BUILD) {
        (void)snprintf(out, bytes, "build it with 'make %s'", target);
    } else if (kind == SL_HOME_INSTALLED) {
        (void)snprintf(out, bytes,
                       "the installation is not whole: install Sluice again ('make install', or "
                       "the package sluice)");
    } else if (named != NULL) {
        (void)snprintf(out, bytes,
                       "SLUICE_HOME is %s, which is neither the prefix of an installation nor a "
                       "build folder",
                       named);
    } else {
        (void)snprintf(out, bytes,
                       "set SLUICE_HOME to the prefix that Sluice is installed to, or to a build "
                       "folder");
    }
    return out;
}

int sl_home_find(const char *part, const char *target, char *out, size_t bytes, char *error,
                 size_t error_bytes)
{
    char advice[PATH_MAX + 128];
    const bool is_known = sl_home_path(part, out, bytes) == 0;
    if (is_known && access(out, R_OK) == 0) {
        return 0;
    }
    const int reason = errno;
    (void)snprintf(error, error_bytes, "%s: %s; %s", is_known ? out : part, strerror(reason),
                   sl_home_advice(target, advice, sizeof advice));
    return -1;
}
