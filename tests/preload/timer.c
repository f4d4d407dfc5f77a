/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Preloaded (LD_PRELOAD), it interrupts a program, and those that this one starts, every 5 ms, so
 * that what waits returns early (EINTR). */
#define _GNU_SOURCE 1
#include <signal.h>
#include <sys/time.h>

static void ignore(int number)
{
    (void)number;
}

__attribute__((constructor)) static void begin(void)
{
    const struct sigaction action = {.sa_handler = ignore};
    const struct itimerval every = {{0, 5000}, {0, 5000}};
    (void)sigaction(SIGALRM, &action, NULL);
    (void)setitimer(ITIMER_REAL, &every, NULL);
}
