/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sockets that have a path (debug.gdb, debug.control). Whoever is killed leaves its own, at which
 * nobody listens: that one may go. Nothing else is removed. */
#ifndef SLUICE_HOST_DRIVER_MACHINE_SOCKET_H
#define SLUICE_HOST_DRIVER_MACHINE_SOCKET_H

#include <stddef.h>

/* Removes a socket at which nobody listens. Returns 0, or the errno of why it stays: ENOENT where
 * nothing is there, EEXIST where it is no socket, EADDRINUSE where somebody listens. */
int sl_socket_remove_stale(const char *path);

/* Sees to it that a socket can be made at a path, for the key of that name. Returns 0, or -1 with a
 * message and errno. */
int sl_socket_make_room(const char *key, const char *path, char *error, size_t error_bytes);

#endif
