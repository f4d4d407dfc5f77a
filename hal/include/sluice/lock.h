/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * A lock: a word of shared memory, for host and kernels (docs/know/locks.md). */
#ifndef SLUICE_LOCK_H
#define SLUICE_LOCK_H

#include <stdalign.h>
#include <stdint.h>

/** @defgroup host_locks Locks in shared memory
 * @{ */

/** The holder of a free lock. */
#define SL_LOCK_FREE (-1)

/** A lock. */
typedef struct {
    /** Holder: number of the wavefront's block in the wavefront state pool x gpu.lanes + the lane's
     * number; or SL_LOCK_FREE. */
    alignas(4) int32_t holder;
} sl_lock_t;

/** A free lock. Store it in every lock before the first use: zeroed memory is not a free lock. */
static inline sl_lock_t sl_lock_init(void)
{
    return (sl_lock_t){SL_LOCK_FREE};
}

/** @} */

#endif
