/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random numbers of a campaign: those of a run depend on the campaign's seed and the run's number
 * alone, so that any run can be had again by itself. */
#ifndef SLUICE_ATTACK_RANDOM_H
#define SLUICE_ATTACK_RANDOM_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t z = (rng->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline struct rng rng_of_run(uint64_t seed, uint64_t campaign, uint64_t run)
{
    struct rng rng = {seed * UINT64_C(0x2545f4914f6cdd1d) + (campaign << 40) + run};
    (void)rng_next(&rng);
    return rng;
}

/* 0 to count - 1. */
static inline uint64_t rng_below(struct rng *rng, uint64_t count)
{
    return rng_next(rng) % count;
}

/* A number as it goes wrong: small, large, negative, a bit, an address, or any. */
static inline uint64_t rng_odd(struct rng *rng)
{
    const uint64_t any = rng_next(rng);
    switch (rng_below(rng, 8)) {
    case 0:
        return 0;
    case 1:
        return any % 8;
    case 2:
        return UINT64_MAX - any % 4;
    case 3:
        return UINT64_C(1) << any % 64;
    case 4:
        return UINT64_C(0x80000000) + any % UINT64_C(0x40000000);
    case 5:
        return any % 4096;
    case 6:
        return any >> 32;
    default:
        return any;
    }
}

#endif
