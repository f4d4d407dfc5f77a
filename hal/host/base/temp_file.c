/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Between making a file and locking it, it may be taken for one that was left: whoever made it sees
 * that it has no name any more, and makes another. */
#define _GNU_SOURCE 1
#include "host/base/temp_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/output_target.h"

#define LETTERS   6   /* at the end, at random */
#define NAME_MOST 240 /* bytes of the name that it has, so that NAME_MAX bytes are enough */
#define TRIES_MAX 100

/* ".NAME.sluice-" */
static void prefix_of(const char *path, char out[NAME_MAX + 1])
{
    (void)snprintf(out, NAME_MAX + 1, ".%.*s.sluice-", NAME_MOST, sl_target_name(path));
}

static bool is_prefixed(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0 && strlen(name) == strlen(prefix) + LETTERS;
}

/* Removes it where it is a regular file that nobody has locked. */
static void remove_left(int folder, const char *name)
{
    struct stat opened;
    struct stat named;
    const int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0) {
        return;
    }
    if (fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_dev == opened.st_dev &&
        named.st_ino == opened.st_ino) {
        (void)unlinkat(folder, name, 0);
    }
    (void)close(fd);
}

static void remove_all_left(const char *folder, const char *prefix)
{
    DIR *const entries = opendir(folder);
    const struct dirent *entry;

    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (is_prefixed(entry->d_name, prefix)) {
            remove_left(dirfd(entries), entry->d_name);
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
}

/* Where locks are not to be had, nobody can take one for left either. */
static bool is_ours(int fd)
{
    struct stat state;

    (void)flock(fd, LOCK_EX);
    return fstat(fd, &state) != 0 || state.st_nlink > 0;
}

/* Of the name that `out` has after its first `length` bytes. */
static void put_letters(char *out, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    unsigned char any[LETTERS] = {0};

    (void)getrandom(any, sizeof any, 0); /* without it, names repeat, and O_EXCL tells */
    for (size_t i = 0; i < LETTERS; i++) {
        out[length + i] = letters[any[i] % (sizeof letters - 1)];
    }
    out[length + LETTERS] = '\0';
}

int sl_temp_open(const char *path, mode_t mode, char out[PATH_MAX])
{
    char folder[PATH_MAX];
    char prefix[NAME_MAX + 1];

    sl_target_folder(path, folder);
    prefix_of(path, prefix);
    const int length = snprintf(out, PATH_MAX, "%s/%s", folder, prefix);
    if (length >= PATH_MAX - LETTERS) {
        errno = ENAMETOOLONG;
        return -1;
    }
    remove_all_left(folder, prefix);
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        put_letters(out, (size_t)length);
        const int fd = open(out, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if ((fd < 0 && errno != EEXIST) || (fd >= 0 && is_ours(fd))) {
            return fd;
        }
        if (fd >= 0) {
            (void)close(fd);
        }
    }
    errno = EEXIST;
    return -1;
}
