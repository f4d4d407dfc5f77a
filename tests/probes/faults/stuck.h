/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What stuck.c and its kernels share. */
#ifndef SLUICE_PROBES_FAULTS_STUCK_H
#define SLUICE_PROBES_FAULTS_STUCK_H

#include <stdint.h>

#define STUCK_LANES 64 /* of a work-group, which is a wavefront on the default machine */
#define STUCK_WORDS 1024
#define STUCK_TAKEN 0x7ffffff0 /* by a lane that there is not */

#define STUCK_STORES 64 /* of a lane of stuck_stores, to a line each */

struct stuck_shared {
    uint32_t word[STUCK_WORDS]; /* 0 */
    uint32_t busy;
    uint32_t lock; /* an sl_lock_t: STUCK_TAKEN */
    uint32_t line[STUCK_LANES * STUCK_STORES][16];
};

#endif
