/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A small random delay, so that runs which differ in nothing else show how much a figure varies
 * with timing alone (mem.jitter; Alameldeen and Wood, in docs/know/papers.md).
 *
 * Each has its own generator: splitmix64, a counter and a mixing function, for which every seed is
 * a good one. Delays are uniform over the whole picoseconds from 0 to the most there is; where that
 * is 0, nothing is drawn. */
#ifndef SLUICE_MEM_JITTER_H
#define SLUICE_MEM_JITTER_H

#include <stdint.h>

#include "sluice/config.h"

struct jitter {
    uint64_t most_ps; /* below 2^32 */
    uint64_t seed;
    uint64_t counter;
};

/* From here on the delays are those of the seed, from the first one. */
static inline void jitter_reset(struct jitter *jitter)
{
    jitter->counter = jitter->seed;
}

static inline void jitter_init(struct jitter *jitter, const struct sl_config *config)
{
    jitter->most_ps = (uint64_t)config->number[SL_CFG_MEM_JITTER];
    jitter->seed = (uint64_t)config->number[SL_CFG_MEM_JITTER_SEED];
    jitter_reset(jitter);
}

/* The next delay, in ps. */
static inline uint64_t jitter_next(struct jitter *jitter)
{
    if (jitter->most_ps == 0) {
        return 0;
    }
    jitter->counter += 0x9e3779b97f4a7c15u;
    uint64_t mixed = jitter->counter;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
    return (mixed >> 32) * (jitter->most_ps + 1) >> 32;
}

#endif
