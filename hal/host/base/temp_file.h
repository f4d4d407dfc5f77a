/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* New files beside those that they will replace: `.NAME.sluice-XXXXXX` in the same folder. Each is
 * locked (flock(2)) while its process has it open. So one that nobody locks is what a killed
 * process left, on this machine or on another one that shares the folder, and is removed when a
 * new one is made for the same name. */
#ifndef SLUICE_HOST_BASE_TEMP_FILE_H
#define SLUICE_HOST_BASE_TEMP_FILE_H

#include <limits.h>
#include <sys/types.h>

/* Makes one with these permissions, as far as the umask leaves them, for `path`, whose links are
 * followed already; its own path is left in `out`. Returns the descriptor, to read and to write, or
 * -1 with errno. */
int sl_temp_open(const char *path, mode_t mode, char out[PATH_MAX]);

#endif
