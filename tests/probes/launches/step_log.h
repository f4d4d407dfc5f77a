/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What sequence.c and its kernels share: a record of the steps that ran. */
#ifndef SLUICE_PROBES_LAUNCHES_STEP_LOG_H
#define SLUICE_PROBES_LAUNCHES_STEP_LOG_H

#include <stdint.h>

#define STEP_LOG_ENTRIES 1024

struct step_log {
    uint32_t count; /* steps that ran */
    uint32_t items; /* work-items of all of them */
    uint32_t entry[STEP_LOG_ENTRIES];
};

#endif
