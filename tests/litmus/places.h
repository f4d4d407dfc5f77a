/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the work-groups of a test ran. */
#ifndef SLUICE_LITMUS_PLACES_H
#define SLUICE_LITMUS_PLACES_H

#include <stdint.h>

#include "litmus/test.h"

/* Those of the first set, and of how many sets two were on one compute unit. */
struct litmus_places {
    uint32_t cu[LITMUS_THREADS_MAX]; /* by work-group */
    uint64_t sets;
    uint64_t crowded;
};

#endif
