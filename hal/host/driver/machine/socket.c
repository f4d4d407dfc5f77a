/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Whether somebody listens at a socket, connecting to it tells. */
#define _GNU_SOURCE 1
#include "host/driver/machine/socket.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "host/driver/machine/paths.h"

/* Returns 0, or the errno of why there is no connection. */
static int try_to_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof address.sun_path) {
        return ENAMETOOLONG;
    }
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return errno;
    }
    memcpy(address.sun_path, path, strlen(path));
    const int reason =
        connect(fd, (const struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
    (void)close(fd);
    return reason;
}

int sl_socket_remove_stale(const char *path)
{
    struct stat state;

    if (lstat(path, &state) != 0) {
        return errno;
    }
    if (!S_ISSOCK(state.st_mode)) {
        return EEXIST;
    }
    const int reason = try_to_connect(path);
    if (reason != ECONNREFUSED) {
        return reason == EMFILE || reason == ENFILE || reason == ENOMEM ? reason : EADDRINUSE;
    }
    return unlink(path) == 0 ? 0 : errno;
}

static const char *words_of(int reason)
{
    switch (reason) {
    case EEXIST:
        return "something that is no socket is there already, and stays; name a path that is free";
    case EADDRINUSE:
        return "another program listens at it; name another path, or end that program";
    default:
        return strerror(reason);
    }
}

int sl_socket_make_room(const char *key, const char *path, char *error, size_t error_bytes)
{
    const size_t most = sizeof((struct sockaddr_un *)NULL)->sun_path - 1;
    const size_t length = strlen(path);

    if (length > most) {
        (void)snprintf(error, error_bytes,
                       "%s: the path '%s' has %zu characters; a socket's has at most %zu", key,
                       path, length, most);
        errno = ENAMETOOLONG;
        return -1;
    }
    int reason = sl_socket_remove_stale(path);
    if (reason == 0 || reason == ENOENT) {
        reason = sl_path_check_output(path);
    }
    if (reason != 0) {
        (void)snprintf(error, error_bytes, "%s: cannot make socket '%s': %s", key, path,
                       words_of(reason));
        errno = reason;
        return -1;
    }
    return 0;
}
