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

#define COMMAND_BYTES 64
/* A client that sends or takes nothing for so long has gone: it does not hold the program up. */
#define CLIENT_LIMIT_MS 500

/* Whether the path is a socket that nobody listens at any more: what a killed program leaves. */
static int is_stale(const struct sockaddr_un *address)
{
    struct stat status;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int is_refused = fd >= 0 && stat(address->sun_path, &status) == 0 &&
                           S_ISSOCK(status.st_mode) &&
                           connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 &&
                           errno == ECONNREFUSED;
    if (fd >= 0) {
        (void)close(fd);
    }
    return is_refused;
}

int sl_control_open(struct sl_control *control, const char *path, char *error, size_t error_bytes)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const struct sockaddr *const any = (const struct sockaddr *)&address;
    const size_t length = strlen(path);
    *control = (struct sl_control){.fd = -1, .path = path};
    if (length == 0) {
        return 0;
    }
    if (length >= sizeof address.sun_path) {
        (void)snprintf(
            error, error_bytes,
            "debug.control: the path '%s' has %zu characters; a socket's has at most %zu", path,
            length, sizeof address.sun_path - 1);
        return -1;
    }
    memcpy(address.sun_path, path, length);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int result = fd < 0 ? -1 : bind(fd, any, sizeof address);
    if (result != 0 && errno == EADDRINUSE && is_stale(&address)) {
        (void)unlink(path);
        result = bind(fd, any, sizeof address);
    }
    if (result != 0 || listen(fd, 4) != 0) {
        const int reason = errno;
        if (fd >= 0) {
            (void)close(fd);
        }
        (void)snprintf(error, error_bytes, "debug.control: cannot make socket '%s': %s", path,
                       strerror(reason));
        return -1;
    }
    control->fd = fd;
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
        (void)unlink(control->path);
        control->fd = -1;
    }
}
