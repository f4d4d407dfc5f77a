/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of fft.c: decimation in time, radix 2, a work-item for each butterfly of a stage. The
 * first launch reads the input in bit-reversed order and makes in LDS all stages whose blocks fit
 * in a work-group's points; each later stage is a launch of its own. Twiddle factors come from
 * newlib's sinf() and cosf(). */
#include <math.h>

#include "sluice/wave/wave.h"
#include "workloads/common/point.h"

/* Butterfly `item` of the stage that joins pairs of blocks of `half` points, half a power of two.
 */
static void butterfly(struct point *points, uint32_t item, uint32_t half)
{
    const uint32_t place = item & (half - 1);
    struct point *const low = &points[2 * item - place];
    struct point *const high = low + half;
    const float angle = -3.14159265f * (float)place / (float)half;
    const struct point twiddle = {cosf(angle), sinf(angle)};
    point_butterfly(low, high, twiddle);
}

/* Each work-group has twice as many points as work-items, in LDS; `bits` is log2 of all points. */
SL_KERNEL void fft_first_kernel(const struct point *input, struct point *output, uint32_t bits)
{
    const uint32_t items = sl_group_size(0), item = sl_local_id(0);
    const uint32_t first = sl_group_id(0) * items * 2;
    struct point *const points = sl_lds_dynamic();

    points[item] = input[point_reversed(first + item, bits)];
    points[item + items] = input[point_reversed(first + items + item, bits)];
    for (uint32_t half = 1; half <= items; half *= 2) {
        sl_barrier();
        butterfly(points, item, half);
    }
    sl_barrier();
    output[first + item] = points[item];
    output[first + items + item] = points[item + items];
}

SL_KERNEL void fft_stage_kernel(struct point *points, uint32_t half)
{
    butterfly(points, sl_global_id(0), half);
}
