/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Work-groups on compute units: what their wavefronts share. */
#ifndef SLUICE_SIMT_UNIT_GROUP_H
#define SLUICE_SIMT_UNIT_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "check/launch/group_occupancy.h"
#include "sluice/limits.h"

struct wave;

#define GROUP_WAVES_MAX 64

/* An NDRange; x, y and z each. */
struct group_range {
    uint32_t grid[3];   /* work-items */
    uint32_t size[3];   /* of a whole work-group */
    uint32_t number[3]; /* of work-groups */
};

/* A work-group that is on a compute unit. Its lanes are numbered x first, as if it were whole;
 * lanes outside the grid are not active, and wavefronts without any lane in it are not launched. */
struct workgroup {
    struct group_range range;
    uint32_t id[3];
    uint32_t lds_base;                  /* in the compute unit's LDS */
    uint32_t lds_bytes;                 /* that its lanes may access */
    uint32_t waves;                     /* launched; 0: this entry is free */
    uint32_t present;                   /* of them: have not ended; some may have yielded */
    struct wave *wave[GROUP_WAVES_MAX]; /* NULL: holds no context */

    /* The barrier. */
    uint32_t arrived; /* wavefronts that wait at it */
    uint32_t barrier_pc;
    uint64_t arrival_cycles;  /* theirs, added up */
    bool has_departed;        /* a wavefront has ended: */
    uint64_t departed_number; /* this one, */
    uint64_t departed_pc;     /* here, or 0 by returning */
};

/* Its number in the NDRange, x first. */
static inline uint32_t group_number(const struct workgroup *group)
{
    return (group->id[2] * group->range.number[1] + group->id[1]) * group->range.number[0] +
           group->id[0];
}

/* Place of the work-item with a number in the work-group. */
static inline void group_local(const struct workgroup *group, uint32_t item, uint32_t local[3])
{
    const uint32_t row = item / group->range.size[0];

    local[0] = item % group->range.size[0];
    local[1] = row % group->range.size[1];
    local[2] = row / group->range.size[1];
}

#endif
