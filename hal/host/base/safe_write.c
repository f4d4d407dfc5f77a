/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Both signals are sent to the thread that writes, so a mask of its own holds them, and what came
 * meanwhile is taken before the mask is as it was. */
#define _GNU_SOURCE 1
#include "host/base/safe_write.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static const int held[] = {SIGXFSZ, SIGPIPE};
#define HELD (sizeof held / sizeof held[0])

void sl_write_hold(struct sl_write_guard *guard)
{
    const int reason = errno;
    sigset_t set;

    (void)sigemptyset(&set);
    for (size_t i = 0; i < HELD; i++) {
        (void)sigaddset(&set, held[i]);
    }
    (void)sigpending(&guard->pending);
    (void)pthread_sigmask(SIG_BLOCK, &set, &guard->before);
    errno = reason;
}

void sl_write_release(const struct sl_write_guard *guard)
{
    static const struct timespec at_once = {0};
    const int reason = errno;
    sigset_t ours;

    (void)sigemptyset(&ours);
    for (size_t i = 0; i < HELD; i++) {
        if (sigismember(&guard->pending, held[i]) == 0) {
            (void)sigaddset(&ours, held[i]);
        }
    }
    while (sigtimedwait(&ours, NULL, &at_once) > 0) {
    }
    (void)pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
    errno = reason;
}

/* Ignoring it would go on in the programs that this one executes. */
static void take_signal(int number)
{
    (void)number;
}

void sl_write_catch_limit(void)
{
    const struct sigaction action = {.sa_handler = take_signal, .sa_flags = SA_RESTART};
    struct sigaction before;

    if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
        (void)sigaction(SIGXFSZ, &action, NULL);
    }
}

static int write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return 0;
}

int sl_write_all(int fd, const void *bytes, size_t count)
{
    struct sl_write_guard guard;

    sl_write_hold(&guard);
    const int reason = write_all(fd, bytes, count);
    sl_write_release(&guard);
    return reason;
}

int sl_write_truncate(int fd, off_t bytes)
{
    struct sl_write_guard guard;

    sl_write_hold(&guard);
    const int reason = ftruncate(fd, bytes) == 0 ? 0 : errno;
    sl_write_release(&guard);
    return reason;
}
