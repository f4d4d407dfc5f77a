/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of hybrid_stencil.c: a work-item walks up a column of points, with those below, here
 * and above in registers, and loads the four around it. Columns on the four sides, and the lowest
 * and highest plane, keep their values. */
#include "sluice/wave/wave.h"
#include "workloads/stencil/hybrid_stencil.h"

SL_KERNEL void stencil_step(const float *from, float *to, uint64_t n, uint64_t depth,
                            float weight_here, float weight_neighbour)
{
    const struct weights weights = {weight_here, weight_neighbour};
    const uint64_t x = sl_global_id(0), y = sl_global_id(1), plane = n * n;

    if (x > 0 && y > 0 && x + 1 < n && y + 1 < n) {
        const float *point = from + y * n + x;
        const float *const top = point + (depth - 1) * plane;
        float below = *point;
        point += plane;
        to += point - from;
        float here = *point;
        while (point != top) {
            const float *const next = point + plane;
            const float above = *next;
            *to = point_after(weights, here, below, above, *(point - n), point[n], point[-1],
                              point[1]);
            to += plane;
            below = here;
            here = above;
            point = next;
        }
    }
}
