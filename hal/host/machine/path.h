/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What can be known of a path before it is used. */
#ifndef SLUICE_HOST_PATH_H
#define SLUICE_HOST_PATH_H

/* Whether a file at `path` can be written or, where there is none, made: 0, or the errno of what
 * stands against it. Nothing is opened or made, so that it can be asked of a FIFO too. */
int sl_path_check_output(const char *path);

#endif
