/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The control socket of a running program (debug.control): one command per connection. */
#ifndef SLUICE_HOST_CONTROL_H
#define SLUICE_HOST_CONTROL_H

#include <stddef.h>

#include "host/sluice.h"

struct sl_control {
    int fd; /* -1: not open */
    const char *path;
};

/* Answers one command with lines of text: line(to, text) for each. */
typedef void (*sl_command_fn)(void *user, const char *command, sl_line_fn line, void *to);

/* Opens a socket at a path, which has to stay; none where it is empty. Returns 0, or -1 with a
 * message. */
int sl_control_open(struct sl_control *control, const char *path, char *error, size_t error_bytes);

/* Has the connections that wait answered; returns at once where there are none. Called by every
 * wait of the library, so that it needs no thread. */
void sl_control_serve(struct sl_control *control, sl_command_fn answer, void *user);

/* Closes and removes the socket. */
void sl_control_close(struct sl_control *control);

#endif
