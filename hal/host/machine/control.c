/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The control socket. Whoever connects sends a line, gets lines of text, and the connection ends.
 * It is served between the slices of a wait, in the program's own thread: the answer comes within a
 * tenth of a second while the program waits for its graph, and not before it does. */
#define _GNU_SOURCE 1
#include "host/machine/control.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "host/machine/futex.h"
#include "host/machine/soc.h"

#define COMMAND_BYTES 64
/* A client that sends or takes nothing for so long has gone: it does not hold the program up. */
#define CLIENT_LIMIT_MS 500

static const char *path_of(const struct sl_soc *soc)
{
    return soc->config.text[SL_CFG_DEBUG_CONTROL];
}

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

static int try_bind(int fd, const struct sockaddr_un *address)
{
    return bind(fd, (const struct sockaddr *)address, sizeof *address);
}

enum sl_status sl_control_open(struct sl_soc *soc)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *const path = path_of(soc);
    const size_t length = strlen(path);
    if (length == 0) {
        return SL_OK;
    }
    if (length >= sizeof address.sun_path) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "debug.control: the path '%s' has %zu characters; a socket's has at "
                           "most %zu",
                           path, length, sizeof address.sun_path - 1);
    }
    memcpy(address.sun_path, path, length);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int result = fd < 0 ? -1 : try_bind(fd, &address);
    if (result != 0 && errno == EADDRINUSE && is_stale(&address)) {
        (void)unlink(path);
        result = try_bind(fd, &address);
    }
    if (result != 0 || listen(fd, 4) != 0) {
        const int reason = errno;
        if (fd >= 0) {
            (void)close(fd);
        }
        return sl_soc_fail(soc, SL_ERROR_USAGE, "debug.control: cannot make socket '%s': %s", path,
                           strerror(reason));
    }
    soc->control_fd = fd;
    return SL_OK;
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

static void answer(struct sl_soc *soc, int fd)
{
    char command[COMMAND_BYTES] = "";
    struct client client = {.fd = fd};
    const struct timeval limit = {.tv_usec = CLIENT_LIMIT_MS * 1000};
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (receive_command(fd, command, sizeof command) != 0) {
        return;
    }
    const int with_registers = strcmp(command, "dump registers") == 0;
    if (!with_registers && strcmp(command, "dump") != 0) {
        send_line(&client, "error: unknown command; there are: dump, dump registers");
        return;
    }
    /* The message of a failure belongs to this client alone. */
    char error[sizeof soc->error];
    memcpy(error, soc->error, sizeof error);
    if (sl_soc_dump(soc, with_registers, send_line, &client) != SL_OK) {
        send_line(&client, "error:");
        send_line(&client, soc->error);
    }
    memcpy(soc->error, error, sizeof error);
}

void sl_control_serve(struct sl_soc *soc)
{
    if (soc->control_fd < 0) {
        return;
    }
    int fd;
    while ((fd = accept4(soc->control_fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        answer(soc, fd);
        (void)close(fd);
    }
}

void sl_control_close(struct sl_soc *soc)
{
    if (soc->control_fd >= 0) {
        (void)close(soc->control_fd);
        (void)unlink(path_of(soc));
        soc->control_fd = -1;
    }
}
