/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a compute unit counts during a run. Plain sums; observers/published_statistics.c makes the
 * published figures of them. */
#ifndef SLUICE_SIMT_UNIT_UNIT_COUNTERS_H
#define SLUICE_SIMT_UNIT_UNIT_COUNTERS_H

#include <stdint.h>

#include "sluice/limits.h"

/* How the addresses of a memory instruction lie (simt.pattern in hal/contract/statistics.def). */
enum memory_pattern {
    PATTERN_UNIT_STRIDE,
    PATTERN_STRIDED,
    PATTERN_BROADCAST,
    PATTERN_SCATTERED,
    MEMORY_PATTERN_COUNT
};

/* Wavefronts and their instructions; times in CU cycles. */
struct cu_counters {
    uint64_t instructions[SL_LANES_MAX + 1]; /* of wavefronts, by the number of active lanes */
    uint64_t waiting[SL_LANES_MAX + 1]; /* those of them that only wait (simt/unit/busy_wait.h) */
    uint64_t issue_cycles;              /* that SIMD units were occupied by them, added up */
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
    uint64_t lane_loads; /* of lanes, to shared memory */
    uint64_t lane_stores;
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
    uint64_t order_blocked_cycles;
    uint64_t order_buffered_stores;
    uint64_t order_buffer_max;
    uint64_t order_drain_wait_cycles;
    uint64_t order_match_waits;
    uint64_t order_match_wait_cycles;
    uint64_t cas_attempts;
    uint64_t cas_failures;
    uint64_t publish_wait_cycles;
    uint64_t wavefronts;
    uint64_t workgroups;
    uint64_t yields;
    uint64_t yield_bytes;
    uint64_t restarts;
    uint64_t lock_requests; /* of lanes */
    uint64_t lock_acquired;
    uint64_t lock_failed;
    uint64_t lock_refused;
    uint64_t lock_unlocks;
    uint64_t lock_rounds; /* of wavefronts */
    uint64_t lock_rotations;
    uint64_t lock_wait_cycles;
};

/* Instructions of wavefronts, and of active lanes. */
uint64_t cu_wave_instructions(const struct cu_counters *counters);
uint64_t cu_lane_instructions(const struct cu_counters *counters);

/* Adds those of a compute unit to those of others; of maxima, the larger one stays. */
void cu_counters_add(struct cu_counters *sum, const struct cu_counters *cu);

#endif
