/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sleeping on a word of shared memory, across processes (no FUTEX_PRIVATE_FLAG: host and plugin map
 * the same memfd at different addresses). A wait may end early; callers check again. */
#ifndef SLUICE_HOST_DRIVER_MACHINE_FUTEX_H
#define SLUICE_HOST_DRIVER_MACHINE_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps while *word is `expected`, for at most limit_ms. */
static inline void sl_futex_wait(const uint32_t *word, uint32_t expected, int limit_ms)
{
    const struct timespec limit = {limit_ms / 1000, (limit_ms % 1000) * 1000000L};
    (void)syscall(SYS_futex, word, FUTEX_WAIT, expected, &limit, NULL, 0);
}

static inline void sl_futex_wake(const uint32_t *word)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Wall time in ms, for limits alone. */
static inline int64_t sl_wall_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
