/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Links are followed one by one, because the last step matters: one into /proc stands for an open
 * file, which may have no name, and is not to be replaced under the one it has. */
#define _GNU_SOURCE 1
#include "host/base/output_target.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as of the kernel */

const char *sl_target_name(const char *path)
{
    const char *const slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

void sl_target_folder(const char *path, char *out)
{
    const size_t length = (size_t)(sl_target_name(path) - path);

    (void)snprintf(out, PATH_MAX, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
}

/* The descriptor of this process that a path stands for, or -1. */
static int descriptor_of(const char *path)
{
    static const struct {
        const char *path;
        int fd; /* negative: its number follows */
    } names[] = {{"/dev/stdout", STDOUT_FILENO},
                 {"/dev/stderr", STDERR_FILENO},
                 {"/dev/fd/", -1},
                 {"/proc/self/fd/", -1},
                 {"/proc/thread-self/fd/", -1}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i].path);
        const char *const rest = path + length;
        if (strncmp(path, names[i].path, length) != 0) {
            continue;
        }
        if (names[i].fd >= 0 && rest[0] == '\0') {
            return names[i].fd;
        }
        const size_t digits = strspn(rest, "0123456789");
        if (names[i].fd < 0 && digits > 0 && digits < 10 && rest[digits] == '\0') {
            return atoi(rest);
        }
    }
    return -1;
}

static bool is_in_proc(const char *path)
{
    char folder[PATH_MAX];
    struct statfs system;

    sl_target_folder(path, folder);
    return statfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* From a link to what it names. Returns 0 or an errno. */
static int follow(struct sl_target *place)
{
    char target[PATH_MAX];
    char folder[PATH_MAX];
    char whole[2 * PATH_MAX + 2];
    const ssize_t length = readlink(place->path, target, sizeof target);

    if (length < 0) {
        return errno;
    }
    if ((size_t)length >= sizeof target) {
        return ENAMETOOLONG;
    }
    target[length] = '\0';
    sl_target_folder(place->path, folder);
    (void)snprintf(whole, sizeof whole, "%s%s%s", target[0] == '/' ? "" : folder,
                   target[0] == '/' ? "" : "/", target);
    if (strlen(whole) >= sizeof place->path) {
        return ENAMETOOLONG;
    }
    memcpy(place->path, whole, strlen(whole) + 1);
    return 0;
}

/* What is under a name that is no link. */
static int judge(struct sl_target *place)
{
    if (S_ISDIR(place->state.st_mode)) {
        return EISDIR;
    }
    place->kind = S_ISREG(place->state.st_mode) ? SL_TARGET_FILE : SL_TARGET_STREAM;
    return 0;
}

/* One step: 0 where the place is found, an errno, or -1 where a link was followed. */
static int step(struct sl_target *place)
{
    place->fd = descriptor_of(place->path);
    if (place->fd >= 0) {
        place->kind = SL_TARGET_DESCRIPTOR;
        return fcntl(place->fd, F_GETFD) >= 0 ? 0 : errno;
    }
    if (lstat(place->path, &place->state) != 0) {
        place->kind = SL_TARGET_FREE;
        return errno == ENOENT ? 0 : errno;
    }
    if (!S_ISLNK(place->state.st_mode)) {
        return judge(place);
    }
    if (is_in_proc(place->path)) {
        place->kind = SL_TARGET_STREAM;
        return 0;
    }
    const int reason = follow(place);
    return reason != 0 ? reason : -1;
}

int sl_target_resolve(struct sl_target *place, const char *path)
{
    *place = (struct sl_target){.fd = -1};
    if (strlen(path) >= sizeof place->path) {
        return ENAMETOOLONG;
    }
    if (path[0] == '\0') {
        return ENOENT;
    }
    memcpy(place->path, path, strlen(path) + 1);
    for (int links = 0; links <= LINKS_MAX; links++) {
        const int reason = step(place);
        if (reason >= 0) {
            return reason;
        }
    }
    return ELOOP;
}

bool sl_target_is_file(const struct sl_target *place)
{
    return place->kind == SL_TARGET_FREE || place->kind == SL_TARGET_FILE;
}

int sl_target_open(const struct sl_target *place)
{
    return place->kind == SL_TARGET_DESCRIPTOR
               ? fcntl(place->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
               : TEMP_FAILURE_RETRY(open(place->path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY));
}

int sl_target_open_growing(const struct sl_target *place)
{
    return open(place->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
}

bool sl_target_is_of_name(int reason)
{
    static const int of_name[] = {EACCES, EPERM, ENOENT, ENOTDIR, EISDIR,       EROFS,
                                  ELOOP,  ENXIO, EEXIST, ETXTBSY, ENAMETOOLONG, EBADF};

    for (size_t i = 0; i < sizeof of_name / sizeof of_name[0]; i++) {
        if (reason == of_name[i]) {
            return true;
        }
    }
    return false;
}
