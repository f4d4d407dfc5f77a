/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of mttop_fft.c: the input in bit-reversed order, then a step for each stage, in which
 * a work-item makes one butterfly after the other. */
#include "programs/common/point.h"
#include "wave/device_barrier.h"
#include "wave/sluice_wave.h"

/* All butterflies of the stage that joins pairs of blocks of `half` points. The stage's twiddle
 * factors lie side by side. */
static inline void join(struct point *points, const struct point *twiddles, uint32_t half,
                        uint32_t n)
{
    for (uint32_t item = sl_global_id(0); item < n / 2; item += sl_grid_size(0)) {
        const uint32_t place = item & (half - 1);
        struct point *const low = &points[2 * item - place];
        point_butterfly(low, low + half, twiddles[place]);
    }
}

SL_KERNEL void fft_transform(struct sl_device_barrier *barrier, const struct point *input,
                             const struct point *twiddles, struct point *output, uint32_t bits)
{
    const uint32_t n = 1u << bits;

    for (uint32_t i = sl_global_id(0); i < n; i += sl_grid_size(0)) {
        output[i] = input[point_reversed(i, bits)];
    }
    sl_device_barrier(barrier);
    for (uint32_t half = 1; half < n; half *= 2) {
        join(output, twiddles + half, half, n);
        sl_device_barrier(barrier);
    }
}
