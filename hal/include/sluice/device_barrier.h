/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * State of a barrier of all wavefronts of a launch, in shared memory
 * (sluice/wave/device_barrier.h). The host allocates it, initially zero. Each barrier leaves it
 * ready for the next one.
 *
 * Waiting wavefronts poll one word while arriving ones add to the other, so each word has a
 * separate cache line. */
#ifndef SLUICE_DEVICE_BARRIER_H
#define SLUICE_DEVICE_BARRIER_H

#include <stdalign.h>
#include <stdint.h>

/** @defgroup host_device_barrier Barrier of a launch, in shared memory
 * @{ */

/** The barrier, as sl_device_barrier() takes it. */
struct sl_device_barrier {
    alignas(64) uint32_t arrived; /**< work-items that have reached this barrier */
    alignas(64) uint32_t passed;  /**< completed barriers; wraps */
};

/** @} */

#endif
