/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * A barrier of all wavefronts of a launch, built from atomics at device scope.
 *
 * Wavefronts wait for each other, so all of them must be resident at once. The host launches such a
 * kernel with sl_launch_resident(), which checks this. The barrier is central: one word counts the
 * arrived work-items, another changes when all have arrived. Every wavefront releases and acquires
 * for itself. The barrier is therefore correct even if releases are not transitive
 * (quickrelease.fifo, scoped.flush). */
#ifndef SLUICE_WAVE_DEVICE_BARRIER_H
#define SLUICE_WAVE_DEVICE_BARRIER_H

#include <stdint.h>

#include "sluice/device_barrier.h"
#include "sluice/wave/atomics.h"
#include "sluice/wave/group.h"
#include "sluice/wave/lanes.h"

/* A waiting wavefront polls after this many cycles, then after twice as many, and so on up to the
 * maximum. This leaves issue slots to wavefronts that still compute. */
#define SL_DEVICE_BARRIER_PAUSE      16
#define SL_DEVICE_BARRIER_PAUSE_MOST 1024

/* Waits until `passed` has changed; called by one lane. Polls with relaxed loads, because an
 * acquire would invalidate caches each time (docs/look-up/memory-others.md). */
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

/** Waits until all work-items of the grid have reached the barrier. Orders their accesses: stores
 * before it are visible to all loads after it. All work-items of the grid must execute it, those of
 * a wavefront together. Otherwise the launch waits until a fault ends it (a deadlock,
 * gpu.progress_limit or gpu.cycle_limit). */
static inline __attribute__((always_inline)) void
sl_device_barrier(struct sl_device_barrier *barrier)
{
    const uint32_t grid = sl_grid_size(0) * sl_grid_size(1) * sl_grid_size(2);
    const uint32_t lanes = (uint32_t)sl_reduce_add(1);

    if (sl_elect()) {
        const uint32_t passed = sl_load_relaxed_u32_device(&barrier->passed);
        const uint32_t before = sl_atomic_add_u32_device_release(&barrier->arrived, lanes);

        if (before + lanes == grid) {
            sl_fence_acquire_device(); /* what all have released, this wavefront releases again */
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
