/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of stream.c: work-items go through an array side by side, each 8 bytes at a time and
 * a whole grid further, four of them under way. The number of values is a multiple of four grids.
 */
#include "sluice/wave/wave.h"

SL_KERNEL void stream_read(const uint64_t *values, uint64_t count, uint64_t *result)
{
    const uint64_t stride = sl_grid_size(0);
    uint64_t sum = 0;

    for (uint64_t i = sl_global_id(0); i < count; i += 4 * stride) {
        const uint64_t a = values[i];
        const uint64_t b = values[i + stride];
        const uint64_t c = values[i + 2 * stride];
        const uint64_t d = values[i + 3 * stride];
        sum += (a ^ b) + (c ^ d);
    }
    sl_atomic_add_u64(result, sum);
}

SL_KERNEL void stream_copy(const uint64_t *values, uint64_t count, uint64_t *copy)
{
    const uint64_t stride = sl_grid_size(0);

    for (uint64_t i = sl_global_id(0); i < count; i += 4 * stride) {
        const uint64_t a = values[i];
        const uint64_t b = values[i + stride];
        const uint64_t c = values[i + 2 * stride];
        const uint64_t d = values[i + 3 * stride];
        copy[i] = a;
        copy[i + stride] = b;
        copy[i + 2 * stride] = c;
        copy[i + 3 * stride] = d;
    }
}
