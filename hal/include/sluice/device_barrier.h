/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * What a barrier of all wavefronts of a launch keeps in shared memory
 * (sluice/wave/device_barrier.h). The host allocates it; zeroes are right at the beginning, and
 * each barrier leaves it ready for the next one.
 *
 * Those that wait load one word over and over, while those that arrive add to the other one: each
 * is in a cache line of its own. */
#ifndef SLUICE_DEVICE_BARRIER_H
#define SLUICE_DEVICE_BARRIER_H

#include <stdalign.h>
#include <stdint.h>

/** @defgroup host_device_barrier Barrier of a launch, in shared memory
 * @{ */

/** What sl_device_barrier() takes. */
struct sl_device_barrier {
    alignas(64) uint32_t arrived; /**< work-items that have come to this barrier */
    alignas(64) uint32_t passed;  /**< barriers that all have come to; wraps */
};

/** @} */

#endif
