/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What deadlock.c and its kernels share. */
#ifndef SLUICE_PROBES_FAULTS_DEADLOCK_H
#define SLUICE_PROBES_FAULTS_DEADLOCK_H

#include <stdint.h>

#define DEADLOCK_LANES     64 /* of a work-group, which is a wavefront on the default machine */
#define DEADLOCK_RESOURCES 10
#define DEADLOCK_FREE      UINT32_MAX

struct deadlock_shared {
    uint32_t lock[DEADLOCK_LANES]; /* DEADLOCK_FREE, or 1 + the holder's work-item */
    uint32_t resources;
    uint32_t count; /* of those who have been in the critical section */
};

#endif
