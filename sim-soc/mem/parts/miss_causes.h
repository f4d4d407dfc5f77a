/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Why a data cache did not have a line: it never had it, or lost it, and how it lost it last
 * (Hill's three causes with that of coherent caches; docs/look-up/memory-moesi.md, "Statistics").
 *
 * What is known of each line of DRAM is a cause and the run in which it was noted, so that a new
 * run has nothing to clear. Left out: a line that was replaced, and then written and lost again by
 * another cache before it was asked for, counts as replaced. */
#ifndef SLUICE_MEM_PARTS_MISS_CAUSES_H
#define SLUICE_MEM_PARTS_MISS_CAUSES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mem/mem_counters.h"
#include "sluice/config.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"

#define MISS_CAUSE_BITS 2u
#define MISS_RUNS       (1u << (16 - MISS_CAUSE_BITS))

struct miss_causes {
    uint16_t *noted; /* by line of DRAM; NULL where causes are not counted */
    uint32_t count;
    uint16_t run;
};

static inline bool miss_causes_create(struct miss_causes *causes, const struct sl_config *config)
{
    causes->count = (uint32_t)(config->number[SL_CFG_DRAM_SIZE] / SL_CACHE_LINE_BYTES);
    causes->noted = calloc(causes->count, sizeof(*causes->noted));
    return causes->noted != NULL;
}

/* A new run: nothing has been had yet. */
static inline void miss_causes_reset(struct miss_causes *causes)
{
    causes->run = (uint16_t)((causes->run + 1u) % MISS_RUNS);
    if (causes->run == 0 && causes->noted != NULL) {
        memset(causes->noted, 0, causes->count * sizeof(*causes->noted));
        causes->run = 1;
    }
}

/* Where it is noted; NULL for what is not in DRAM. */
static inline uint16_t *miss_causes_find(const struct miss_causes *causes, uint32_t line)
{
    const uint32_t index = line - (uint32_t)(SL_DRAM_BASE / SL_CACHE_LINE_BYTES);

    return causes->noted != NULL && index < causes->count ? &causes->noted[index] : NULL;
}

/* The cache loses a line. */
static inline void miss_causes_note(struct miss_causes *causes, uint32_t line,
                                    enum miss_cause cause)
{
    uint16_t *const noted = miss_causes_find(causes, line);

    if (noted != NULL) {
        *noted = (uint16_t)(causes->run << MISS_CAUSE_BITS | cause);
    }
}

/* It misses, and another has the line from wherever. A line that another cache owns was written
 * there: this cache would have lost it. */
static inline enum miss_cause miss_causes_of(const struct miss_causes *causes, uint32_t line,
                                             enum hit_level served)
{
    const uint16_t *const noted = miss_causes_find(causes, line);

    if (noted == NULL || *noted >> MISS_CAUSE_BITS != causes->run) {
        return MISS_COLD;
    }
    const enum miss_cause cause = (enum miss_cause)(*noted & ((1u << MISS_CAUSE_BITS) - 1));
    return cause == MISS_CAPACITY && served == HIT_OTHER_L1 ? MISS_COHERENCE : cause;
}

#endif
