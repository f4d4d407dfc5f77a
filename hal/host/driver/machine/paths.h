/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Paths: beside the program, of programs, and what can be known of one before it is used. */
#ifndef SLUICE_HOST_DRIVER_MACHINE_PATHS_H
#define SLUICE_HOST_DRIVER_MACHINE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/sluice.h"

/* `path` taken from the directory of the running program: "../lib". Returns 0, or -1 with errno. */
int sl_path_beside_program(const char *path, char *out, size_t bytes);

/* Where a program is, as execvp() finds it: a name with a slash is its path, another one is looked
 * for in the folders of PATH. Returns 0, or the errno of why there is none that can be executed. */
int sl_path_find_program(const char *name, char *out, size_t bytes);

/* Whether a file at `path` can be written or, where there is none, made: 0, or the errno of what
 * stands against it. Nothing is opened or made, so that it can be asked of a FIFO too. */
int sl_path_check_output(const char *path);

/* Whether an errno says that the system or this process has run out of something. */
bool sl_path_is_short(int reason);

/* The status where what a configuration names cannot be had: the machine's where it is that, else
 * usage. */
enum sl_status sl_path_status(int reason);

#endif
