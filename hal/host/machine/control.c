/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The control socket. Whoever connects sends a line, gets lines of text, and the connection ends.
 * It is served between the slices of a wait, in the program's own thread: the answer comes within a
 * tenth of a second while the program waits for its graph, and not before it does. */
#define _GNU_SOURCE 1
#include "host/machine/machine.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "host/machine/futex.h"
#include "host/machine/socket.h"

#define COMMAND_BYTES 64
/* A client that sends or takes nothing for so long has gone: it does not hold the program up. */
#define CLIENT_LIMIT_MS 500

/* Which file the socket is, so that at the end no other one is removed. */
static void remember(struct sl_control *control)
{
    struct stat state;
    const bool is_there = lstat(control->path, &state) == 0 && S_ISSOCK(state.st_mode);
    control->device = is_there ? state.st_dev : 0;
    control->inode = is_there ? state.st_ino : 0;
}

static bool is_ours(const struct sl_control *control)
{
    struct stat state;
    return lstat(control->path, &state) == 0 && S_ISSOCK(state.st_mode) &&
           state.st_dev == control->device && state.st_ino == control->inode;
}

int sl_control_open(struct sl_control *control, const char *path, char *error, size_t error_bytes)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *control = (struct sl_control){.fd = -1, .path = path};
    if (path[0] == '\0') {
        return 0;
    }
    if (sl_socket_make_room("debug.control", path, error, error_bytes) != 0) {
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path));
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(fd, 4) != 0) {
        const int reason = errno;
        if (fd >= 0) {
            (void)close(fd);
        }
        (void)snprintf(error, error_bytes, "debug.control: cannot make socket '%s': %s", path,
                       strerror(reason));
        return -1;
    }
    control->fd = fd;
    remember(control);
    return 0;
}

struct client {
    int fd;
    bool has_gone;
};

static void send_text(struct client *client, const char *text, size_t length)
{
    /* Less than all of it is sent where the limit passed meanwhile. */
    if (!client->has_gone && send(client->fd, text, length, MSG_NOSIGNAL) != (ssize_t)length) {
        client->has_gone = true;
    }
}

/* A client that has gone, or takes nothing, loses the rest. */
static void send_line(void *user, const char *line)
{
    struct client *const client = user;
    send_text(client, line, strlen(line));
    send_text(client, "\n", 1);
}

/* The first line that the client sends, without its end. Returns 0, or -1. */
static int receive_command(int fd, char *command, size_t bytes)
{
    const int64_t deadline_ms = sl_wall_ms() + CLIENT_LIMIT_MS;
    size_t length = 0;
    while (length < bytes - 1 && sl_wall_ms() <= deadline_ms) {
        const ssize_t got = recv(fd, command + length, bytes - 1 - length, 0);
        if (got < 0) {
            return -1;
        }
        length += (size_t)got;
        command[length] = '\0';
        char *const end = strpbrk(command, "\r\n");
        if (end != NULL || got == 0) {
            if (end != NULL) {
                *end = '\0';
            }
            return 0;
        }
    }
    return 0;
}

static void serve_client(int fd, sl_command_fn answer, void *user)
{
    char command[COMMAND_BYTES] = "";
    struct client client = {.fd = fd};
    const struct timeval limit = {.tv_usec = CLIENT_LIMIT_MS * 1000};
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (receive_command(fd, command, sizeof command) == 0) {
        answer(user, command, send_line, &client);
    }
}

void sl_control_serve(struct sl_control *control, sl_command_fn answer, void *user)
{
    if (control->fd < 0) {
        return;
    }
    int fd;
    while ((fd = accept4(control->fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        serve_client(fd, answer, user);
        (void)close(fd);
    }
}

void sl_control_close(struct sl_control *control)
{
    if (control->fd >= 0) {
        (void)close(control->fd);
        if (is_ours(control)) {
            (void)unlink(control->path);
        }
        control->fd = -1;
    }
}
