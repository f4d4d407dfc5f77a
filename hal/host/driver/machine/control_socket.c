/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The control socket. Whoever connects sends a line, gets lines of text, and the connection ends.
 * It is served between the slices of a wait, in the program's own thread: the answer comes within
 * tenths of a second while the program waits for its graph, and not before it does. No client holds
 * the program up: what it has not sent or taken yet is looked at between the next slices, and the
 * next client comes when it has its answer or has gone. */
#define _GNU_SOURCE 1
#include "host/driver/machine/machine.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "host/driver/machine/futex.h"
#include "host/driver/machine/socket.h"

/* A client that sends or takes nothing for so long has gone. */
#define CLIENT_LIMIT_MS 500
#define SERVED_AT_ONCE  4

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
    *control = (struct sl_control){.fd = -1, .path = path, .client = {.fd = -1}};
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
        errno = reason;
        return -1;
    }
    control->fd = fd;
    remember(control);
    return 0;
}

/* ---- one client ---- */

static bool has_to_wait(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static bool is_late(const struct sl_control_client *client)
{
    return sl_wall_ms() - client->since_ms > CLIENT_LIMIT_MS;
}

static bool take_client(struct sl_control *control)
{
    const int fd = accept4(control->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    control->client = (struct sl_control_client){.fd = fd, .since_ms = sl_wall_ms()};
    return fd >= 0;
}

static void end_client(struct sl_control_client *client)
{
    if (client->fd >= 0) {
        (void)close(client->fd);
    }
    free(client->answer);
    *client = (struct sl_control_client){.fd = -1};
}

/* What a step has come to: on to the next, later again, or the client has gone. */
enum step { DONE, LATER, GONE };

static enum step later(const struct sl_control_client *client)
{
    return is_late(client) ? GONE : LATER;
}

/* The first line that the client sends, without its end. */
static enum step receive_command(struct sl_control_client *client)
{
    const size_t room = sizeof client->command - 1 - client->length;
    char *const to = client->command + client->length;
    const ssize_t got = recv(client->fd, to, room, 0);
    if (got < 0) {
        return has_to_wait() ? later(client) : GONE;
    }
    client->length += (size_t)got;
    client->command[client->length] = '\0';
    const size_t line = strcspn(client->command, "\r\n");
    if (got > 0 && (size_t)got < room && line == client->length) {
        return later(client);
    }
    client->command[line] = '\0';
    return DONE;
}

static void add_line(void *stream, const char *line)
{
    (void)fprintf(stream, "%s\n", line);
}

static enum step make_answer(struct sl_control_client *client, sl_command_fn answer, void *user)
{
    FILE *const stream = open_memstream(&client->answer, &client->bytes);
    if (stream == NULL) {
        return GONE;
    }
    answer(user, client->command, add_line, stream);
    const bool is_whole = fclose(stream) == 0;
    client->since_ms = sl_wall_ms();
    return is_whole ? DONE : GONE;
}

static enum step send_answer(struct sl_control_client *client)
{
    while (client->sent < client->bytes) {
        const ssize_t sent = send(client->fd, client->answer + client->sent,
                                  client->bytes - client->sent, MSG_NOSIGNAL);
        if (sent < 0) {
            return has_to_wait() ? later(client) : GONE;
        }
        client->sent += (size_t)sent;
        client->since_ms = sl_wall_ms();
    }
    return DONE;
}

/* Does what can be done at once. */
static enum step serve_client(struct sl_control_client *client, sl_command_fn answer, void *user)
{
    enum step step = DONE;
    if (client->answer == NULL) {
        step = receive_command(client);
        if (step == DONE) {
            step = make_answer(client, answer, user);
        }
    }
    return step == DONE ? send_answer(client) : step;
}

void sl_control_serve(struct sl_control *control, sl_command_fn answer, void *user)
{
    struct sl_control_client *const client = &control->client;
    if (control->fd < 0) {
        return;
    }
    for (unsigned i = 0; i < SERVED_AT_ONCE; i++) {
        if ((client->fd < 0 && !take_client(control)) ||
            serve_client(client, answer, user) == LATER) {
            return;
        }
        end_client(client);
    }
}

/* The rest of an answer, to a client that takes it. */
static void finish_client(struct sl_control_client *client)
{
    struct pollfd end = {.fd = client->fd, .events = POLLOUT};
    const int64_t limit_ms = sl_wall_ms() + CLIENT_LIMIT_MS;
    for (int64_t left_ms = CLIENT_LIMIT_MS;
         left_ms > 0 && client->answer != NULL && send_answer(client) == LATER;
         left_ms = limit_ms - sl_wall_ms()) {
        (void)poll(&end, 1, (int)left_ms);
    }
    end_client(client);
}

void sl_control_close(struct sl_control *control)
{
    if (control->fd >= 0) {
        finish_client(&control->client);
        (void)close(control->fd);
        if (is_ours(control)) {
            (void)unlink(control->path);
        }
        control->fd = -1;
    }
}
