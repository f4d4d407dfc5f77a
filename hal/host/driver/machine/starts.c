/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One write() with O_APPEND, so that lines of programs that run at the same time stay whole. */
#define _GNU_SOURCE 1
#include "host/driver/machine/starts.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

void sl_starts_count(void)
{
    static const char line[] = "start\n";
    const char *const name = getenv("SLUICE_STARTS");
    const int fd = name != NULL && *name != '\0'
                       ? open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666)
                       : -1;
    if (fd >= 0) {
        (void)!write(fd, line, sizeof line - 1);
        (void)close(fd);
    }
}
