/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Exponentially distributed gaps by von Neumann's method (docs/know/papers.md), which compares
 * uniform numbers: of a number u, the run of numbers that fall from it is of odd length with
 * probability exp(-u). */
#include "workloads/common/arrivals.h"

/* The upper half of splitmix64 (docs/know/papers.md). */
static uint32_t uniform(struct arrivals *arrivals)
{
    uint64_t z = arrivals->random += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) >> 32);
}

static bool is_odd_run(struct arrivals *arrivals, uint32_t from)
{
    bool is_odd = true;

    for (;; is_odd = !is_odd) {
        const uint32_t next = uniform(arrivals);
        if (next >= from) {
            return is_odd;
        }
        from = next;
    }
}

/* With mean 1, in units of 2^-32. */
static uint64_t exponential(struct arrivals *arrivals)
{
    for (uint64_t whole = 0;; whole++) {
        const uint32_t part = uniform(arrivals);
        if (is_odd_run(arrivals, part)) {
            return whole << 32 | part;
        }
    }
}

/* A gap takes less than 2^20 times the mean, which is below 2^44 ps: what is above 2^32 apart, no
 * product overflows. */
uint64_t arrivals_next(struct arrivals *arrivals)
{
    if (!arrivals->is_poisson) {
        return arrivals->time_ps += arrivals->mean_ps;
    }
    const uint64_t gap = exponential(arrivals);
    const uint64_t whole = (gap >> 32) * arrivals->mean_ps;
    const uint64_t part = (gap & UINT32_MAX) >> 12;
    return arrivals->time_ps += whole + (arrivals->mean_ps * part >> 20);
}
