/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Between making a folder and locking it, it may be taken for one that was left: whoever made it
 * sees that it is gone, and makes another. */
#define _GNU_SOURCE 1
#include "common/own_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES_MAX 100
#define LETTERS   "XXXXXX"
#define WALK_FDS  16

static const char *temporary(void)
{
    const char *const where = getenv("TMPDIR");

    return where != NULL && where[0] != '\0' ? where : "/tmp";
}

/* What cannot be removed is left, and the rest goes. */
static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    (void)remove(path);
    return 0;
}

void folder_remove(const char *path)
{
    (void)nftw(path, remove_entry, WALK_FDS, FTW_DEPTH | FTW_PHYS);
}

/* Opens a folder of this user's, and locks it if nobody else has. Negative where that is not so. */
static int lock_of(const char *path)
{
    struct stat state;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd >= 0 && (fstat(fd, &state) != 0 || state.st_uid != geteuid() ||
                    flock(fd, LOCK_EX | LOCK_NB) != 0)) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

static void remove_left(const char *name)
{
    char path[PATH_MAX];
    const size_t length = strlen(name);
    DIR *const entries = opendir(temporary());
    const struct dirent *entry;

    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (strncmp(entry->d_name, name, length) != 0 || entry->d_name[length] != '.' ||
            strlen(entry->d_name) != length + sizeof LETTERS ||
            snprintf(path, sizeof path, "%s/%s", temporary(), entry->d_name) >= PATH_MAX) {
            continue;
        }
        const int lock = lock_of(path);
        if (lock >= 0) {
            folder_remove(path);
            (void)close(lock);
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
}

static bool is_there(const char *path)
{
    struct stat state;

    return lstat(path, &state) == 0;
}

int own_folder_make(struct own_folder *folder, const char *name)
{
    remove_left(name);
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        (void)snprintf(folder->path, sizeof folder->path, "%s/%s." LETTERS, temporary(), name);
        if (mkdtemp(folder->path) == NULL) {
            return -1;
        }
        folder->lock = lock_of(folder->path);
        if (folder->lock >= 0 && is_there(folder->path)) {
            return 0;
        }
        own_folder_remove(folder);
    }
    errno = EAGAIN;
    return -1;
}

void own_folder_remove(struct own_folder *folder)
{
    folder_remove(folder->path);
    if (folder->lock >= 0) {
        (void)close(folder->lock);
        folder->lock = -1;
    }
}
