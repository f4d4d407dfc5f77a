/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What tests/soc/simt/test_routines.c and its kernels (tests/probes/routines/routines_kernel.c)
 * agree on. */
#ifndef SLUICE_TESTS_ROUTINE_TASKS_H
#define SLUICE_TESTS_ROUTINE_TASKS_H

#include <stdint.h>

/* An element of the source channel: what its lane does. */
struct routines_task {
    int32_t number;
    int32_t is_active; /* calls talloc and enq at all */
    int32_t channel;
    int32_t count;
    int32_t wrong_count; /* added to enq's count */
    int32_t wrong_bytes; /* added to enq's pointer */
    int32_t enq_channel; /* where not 0: enq gets this channel's first element, and that channel */
};

/* What the lane did, by the task's number. */
struct routines_log {
    uint32_t *elements;
    uint64_t active; /* the lanes that called talloc together */
    uint32_t wavefront;
    uint32_t unused;
};

/* First word of the element `i` that a task makes. */
static inline uint32_t routines_value(int number, int i)
{
    return (uint32_t)number * 16u + (uint32_t)i + 1u;
}

struct routines_lanes {
    uint64_t lanes;
    uint64_t cus;
    uint64_t ballot;
    uint64_t elected;
    uint64_t first;
    uint64_t shuffle;
    uint64_t scan[8]; /* by enum sl_cross_op */
    uint64_t reduce[8];
    uint64_t loaded;
    uint64_t added;
    uint64_t sum; /* of lane 0's entry: over all lanes */
    uint32_t count;
    uint32_t stored;
};

static inline uint64_t routines_lane_value(unsigned lane)
{
    return (lane + 1) * 0x9e3779b97f4a7c15u;
}

#endif
