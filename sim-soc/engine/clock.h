/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Clocks: periods in whole picoseconds, whose edges are multiples of them from time zero. */
#ifndef SLUICE_ENGINE_CLOCK_H
#define SLUICE_ENGINE_CLOCK_H

#include <stdint.h>

/* A clock period of at least 2 ps, and what replaces division by it. */
struct sim_clock {
    uint64_t ps;
    uint64_t reciprocal; /* 2^64 / ps, rounded up */
};

static inline struct sim_clock sim_clock_of(uint64_t ps)
{
    return (struct sim_clock){ps, UINT64_MAX / ps + 1};
}

/* The last clock edge that is not after a time, as a number. */
static inline uint64_t sim_clock_before(const struct sim_clock *clock, uint64_t time_ps)
{
    uint64_t edge = (uint64_t)((unsigned __int128)time_ps * clock->reciprocal >> 64);

    if (__builtin_expect(edge * clock->ps > time_ps, 0)) {
        edge--; /* only for times beyond 2^64 / ps */
    }
    return edge;
}

/* The first clock edge that is not before a time. */
static inline uint64_t sim_clock_after(const struct sim_clock *clock, uint64_t time_ps)
{
    return sim_clock_before(clock, time_ps + clock->ps - 1);
}

/* The later of two times. */
static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
