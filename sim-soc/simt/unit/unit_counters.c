/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sums of what compute units count. */
#include "simt/unit/unit_counters.h"

uint64_t cu_wave_instructions(const struct cu_counters *counters)
{
    uint64_t sum = 0;

    for (unsigned lanes = 0; lanes <= SL_LANES_MAX; lanes++) {
        sum += counters->instructions[lanes];
    }
    return sum;
}

uint64_t cu_lane_instructions(const struct cu_counters *counters)
{
    uint64_t sum = 0;

    for (unsigned lanes = 0; lanes <= SL_LANES_MAX; lanes++) {
        sum += lanes * counters->instructions[lanes];
    }
    return sum;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void cu_counters_add(struct cu_counters *sum, const struct cu_counters *cu)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)cu;
    const uint64_t depth = larger(sum->stack_depth_max, cu->stack_depth_max);
    const uint64_t buffer = larger(sum->order_buffer_max, cu->order_buffer_max);

    _Static_assert(sizeof(*sum) % sizeof(*to) == 0, "words alone");
    for (unsigned i = 0; i < sizeof(*sum) / sizeof(*to); i++) {
        to[i] += from[i];
    }
    sum->stack_depth_max = depth;
    sum->order_buffer_max = buffer;
}
