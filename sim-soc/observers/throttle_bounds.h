/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What firmware notes in register THROTTLE: how the bounds on kernels' wavefronts in flight move
 * while it searches for them (docs/know/scheduling.md, "Throttle"). */
#ifndef SLUICE_OBSERVERS_THROTTLE_BOUNDS_H
#define SLUICE_OBSERVERS_THROTTLE_BOUNDS_H

#include <stdint.h>

#include "sluice/limits.h"

struct bounds {
    uint64_t changes; /* notes */
    uint64_t tries;   /* notes of a bound that is tried */
    uint32_t least;   /* bound noted */
    uint32_t most;
    uint32_t last;
    uint64_t trying; /* kernels that try a bound, a bit each */
    uint64_t since_ps;
    uint64_t try_ps; /* time in which some did, up to since_ps */
};

/* Takes a note. */
void bounds_note(struct bounds *bounds, uint64_t value, uint64_t time_ps);

/* Time up to now in which some kernel tried a bound. */
uint64_t bounds_try_ps(const struct bounds *bounds, uint64_t time_ps);

#endif
