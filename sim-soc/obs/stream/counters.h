/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the parts of the simulator count while a graph runs. Plain sums; obs/statistics.c makes the
 * published figures of them. */
#ifndef SLUICE_OBS_COUNTERS_H
#define SLUICE_OBS_COUNTERS_H

#include <stdint.h>

#include "sluice/codes.h"

/* How the addresses of a memory instruction lie (simt.pattern in hal/regs/statistics.def). */
enum memory_pattern {
    PATTERN_UNIT_STRIDE,
    PATTERN_STRIDED,
    PATTERN_BROADCAST,
    PATTERN_SCATTERED,
    MEMORY_PATTERN_COUNT
};

/* What a wavefront or a work-group needs of a compute unit, in the order in which it is looked at.
 */
enum gpu_resource { GPU_CONTEXTS, GPU_REGISTERS, GPU_LDS, GPU_RESOURCE_COUNT };

struct counters {
    /* simt: wavefronts and their instructions */
    uint64_t wave_instructions;
    uint64_t lane_instructions;
    uint64_t branches;
    uint64_t divergent_branches;
    uint64_t unreconverged_branches;
    uint64_t stack_depth_max;
    uint64_t stack_spills;
    uint64_t stack_fills;
    uint64_t calls;
    uint64_t loads;
    uint64_t stores;
    uint64_t atomics;
    uint64_t pattern[MEMORY_PATTERN_COUNT];
    uint64_t misaligned;
    uint64_t split_lanes;
    uint64_t line_accesses;
    uint64_t lds_accesses;
    uint64_t lds_cycles;
    uint64_t lds_conflict_cycles;
    uint64_t barriers;
    uint64_t barrier_wait_cycles;
    uint64_t fetches;
    uint64_t cas_attempts;
    uint64_t cas_failures;

    /* front: dispatches, and what the compute units as a whole did; times in CU cycles */
    uint64_t wavefronts;
    uint64_t dispatches;
    uint64_t elements;
    uint64_t workgroups;
    uint64_t limited_cycles[GPU_RESOURCE_COUNT]; /* work waited for this resource */
    uint64_t yields;
    uint64_t yield_bytes;
    uint64_t restarts;
    uint64_t faults;
    uint64_t resident_max;
    uint64_t blocks_max; /* of the wavefront state pool in use */
    uint64_t active_cycles;
    uint64_t stalled_cycles;
    uint64_t blocked_cycles;

    /* agg: the aggregator; times in picoseconds */
    uint64_t agg_instructions;
    uint64_t agg_branches;
    uint64_t agg_mispredictions;
    uint64_t agg_loads;
    uint64_t agg_forwarded_loads;
    uint64_t agg_stores;
    uint64_t agg_device_accesses;
    uint64_t agg_fetches;
    uint64_t agg_phase_ps[SL_PHASE_COUNT];
};

#endif
