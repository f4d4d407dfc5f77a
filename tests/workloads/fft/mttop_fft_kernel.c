/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of mttop_fft.c: the input in bit-reversed order, then a step for each stage, in which
 * a work-item makes one butterfly after the other. */
#include "sluice/wave/device_barrier.h"
#include "sluice/wave/wave.h"
#include "workloads/common/point.h"
#include "workloads/fft/mttop_fft.h"

/* All butterflies of the stage that joins pairs of blocks of `half` points. The stage's twiddle
 * factors lie side by side. */
static inline void join(struct point *points, const struct point *twiddles, uint32_t half,
                        uint32_t n, uint32_t gap)
{
    for (uint32_t item = sl_global_id(0); item < n / 2; item += sl_grid_size(0)) {
        const uint32_t place = item & (half - 1), low = 2 * item - place;
        point_butterfly(&points[point_place(low, gap)], &points[point_place(low + half, gap)],
                        twiddles[place]);
    }
}

SL_KERNEL void fft_transform(struct sl_device_barrier *barrier, const struct point *input,
                             const struct point *twiddles, struct point *output, uint32_t bits,
                             uint32_t gap)
{
    const uint32_t n = 1u << bits;

    for (uint32_t i = sl_global_id(0); i < n; i += sl_grid_size(0)) {
        output[point_place(i, gap)] = input[point_place(point_reversed(i, bits), gap)];
    }
    sl_device_barrier(barrier);
    for (uint32_t half = 1; half < n; half *= 2) {
        join(output, twiddles + half, half, n, gap);
        sl_device_barrier(barrier);
    }
}
