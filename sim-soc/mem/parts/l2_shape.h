/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the configuration says of an L2: its tags, and its latencies in cycles of the compute units,
 * until a miss is known and until a hit has its data. */
#ifndef SLUICE_MEM_L2_SHAPE_H
#define SLUICE_MEM_L2_SHAPE_H

#include "engine/clock.h"
#include "mem/parts/cache.h"
#include "sluice/config.h"

struct l2_shape {
    uint32_t sets; /* of lines of l2.line */
    uint32_t ways;
    struct sim_clock clock;
    uint64_t tag_ps;
    uint64_t hit_ps;
};

static inline struct l2_shape l2_shape_of(const struct sl_config *config)
{
    const int64_t *number = config->number;
    const int64_t cycles = number[SL_CFG_L2_CYCLES];
    const uint64_t cycle_ps = sl_config_period_ps(config, SL_CFG_GPU_CLOCK);

    return (struct l2_shape){
        .sets =
            (uint32_t)(number[SL_CFG_L2_SIZE] / (number[SL_CFG_L2_WAYS] * number[SL_CFG_L2_LINE])),
        .ways = (uint32_t)number[SL_CFG_L2_WAYS],
        .clock = sim_clock_of(cycle_ps),
        .tag_ps = cache_tag_cycles(number[SL_CFG_L2_TAG_CYCLES], cycles) * cycle_ps,
        .hit_ps = (uint64_t)cycles * cycle_ps,
    };
}

#endif
