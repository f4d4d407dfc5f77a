/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#define _GNU_SOURCE 1
#include "host/base/std_fds.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* Of the lowest number that is free: what comes before it is open. */
static void occupy(int standard, int flags)
{
    if (fcntl(standard, F_GETFD) >= 0 || errno != EBADF) {
        return;
    }
    const int fd = open("/dev/null", flags);
    if (fd > STDERR_FILENO) {
        (void)close(fd); /* another thread has taken the number */
    }
}

void sl_standard_occupy(void)
{
    const int before = errno;
    occupy(STDIN_FILENO, O_WRONLY);
    occupy(STDOUT_FILENO, O_RDONLY);
    occupy(STDERR_FILENO, O_RDONLY);
    errno = before;
}

void sl_standard_children(void)
{
    struct sigaction before;
    if (sigaction(SIGCHLD, NULL, &before) == 0 && before.sa_handler == SIG_IGN) {
        (void)signal(SIGCHLD, SIG_DFL);
    }
}
