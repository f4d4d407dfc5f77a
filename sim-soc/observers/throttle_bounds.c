/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Notes of bounds, counted. */
#include "observers/throttle_bounds.h"

_Static_assert(SL_GRAPH_KERNELS <= 64, "a bit for each kernel");

uint64_t bounds_try_ps(const struct bounds *bounds, uint64_t time_ps)
{
    return bounds->try_ps + (bounds->trying != 0 ? time_ps - bounds->since_ps : 0);
}

void bounds_note(struct bounds *bounds, uint64_t value, uint64_t time_ps)
{
    const uint32_t bound = (uint32_t)value;
    const uint64_t kernel = 1ull << (value >> 32 & (SL_GRAPH_KERNELS - 1));

    bounds->try_ps = bounds_try_ps(bounds, time_ps);
    bounds->since_ps = time_ps;
    bounds->trying &= ~kernel;
    if ((value & SL_THROTTLE_TRIES) != 0) {
        bounds->trying |= kernel;
        bounds->tries++;
    }
    bounds->least = bounds->changes == 0 || bound < bounds->least ? bound : bounds->least;
    bounds->most = bound > bounds->most ? bound : bounds->most;
    bounds->last = bound;
    bounds->changes++;
}
