/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * A barrier of all wavefronts of a launch, made of atomics at device scope.
 *
 * Wavefronts wait for each other, so all of them have to be resident at once: the host launches
 * such a kernel with sl_launch_resident(), which sees to it. The barrier is central, with a count
 * of who has come and a number that changes when all have. Every wavefront releases and acquires
 * for itself, so that nothing depends on releases being transitive
 * (quickrelease.fifo, scoped.flush). */
#ifndef SLUICE_WAVE_DEVICE_BARRIER_H
#define SLUICE_WAVE_DEVICE_BARRIER_H

#include <stdint.h>

#include "sluice/device_barrier.h"
#include "sluice/wave/atomics.h"
#include "sluice/wave/group.h"
#include "sluice/wave/lanes.h"

/* A wavefront that waits looks again after these cycles, then after twice as many, and so on. Those
 * that still compute need the issue slots. */
#define SL_DEVICE_BARRIER_PAUSE      16
#define SL_DEVICE_BARRIER_PAUSE_MOST 1024

/* Waits until `passed` has changed, by loads that order nothing: an acquire would empty caches each
 * time (docs/look-up/memory-others.md). Of one lane. */
static inline void sl_device_barrier_wait(const struct sl_device_barrier *barrier, uint32_t passed)
{
    uint32_t pause = SL_DEVICE_BARRIER_PAUSE;

    while (sl_load_relaxed_u32_device(&barrier->passed) == passed) {
        sl_pause_for(pause);
        pause = pause < SL_DEVICE_BARRIER_PAUSE_MOST ? 2 * pause : pause;
    }
}

/** @defgroup kernel_device_barrier Barrier of a launch
 * @{ */

/** Waits until all work-items of the grid have come here, and orders their accesses: what one
 * stored before the barrier the others load behind it. All work-items of the grid must execute it,
 * those of a wavefront together; else the launch runs into gpu.cycle_limit. */
static inline __attribute__((always_inline)) void
sl_device_barrier(struct sl_device_barrier *barrier)
{
    const uint32_t grid = sl_grid_size(0) * sl_grid_size(1) * sl_grid_size(2);
    const uint32_t lanes = (uint32_t)sl_reduce_add(1);

    if (sl_elect()) {
        const uint32_t passed = sl_load_relaxed_u32_device(&barrier->passed);
        const uint32_t before = sl_atomic_add_u32_device_release(&barrier->arrived, lanes);

        if (before + lanes == grid) {
            sl_fence_acquire_device(); /* what all have released, this one releases again */
            sl_store_relaxed_u32_device(&barrier->arrived, 0);
            sl_store_release_u32_device(&barrier->passed, passed + 1);
        } else {
            sl_device_barrier_wait(barrier, passed);
        }
    }
    sl_fence_acquire_device();
}

/** @} */

#endif
