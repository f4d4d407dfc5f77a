/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of mttop_conv2d.c: a work-group computes a row after the other, with a work-item for
 * each pixel. */
#include "sluice/wave/device_barrier.h"
#include "sluice/wave/wave.h"
#include "workloads/convolution/mttop_conv2d.h"

/* Images have n + 2 REACH rows and columns, of which the outermost stay zero. */
SL_KERNEL void conv2d_filter(struct sl_device_barrier *barrier, const float *filter, float *image,
                             float *other, uint32_t n, uint32_t times)
{
    const uint32_t pitch = n + 2 * REACH;

    for (uint32_t time = 0; time < times; time++) {
        for (uint32_t row = sl_group_id(0); row < n; row += sl_group_count(0)) {
            for (uint32_t i = sl_local_id(0); i < n; i += sl_group_size(0)) {
                const uint64_t first = (uint64_t)row * pitch + i;
                other[first + REACH * pitch + REACH] = convolved(filter, image + first, pitch);
            }
        }
        sl_device_barrier(barrier);
        float *const next = image;
        image = other;
        other = next;
    }
}
