/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of histogram.c: a work-group counts in LDS, with atomics of work-group scope, and adds
 * its counts to the result, a bin for each work-item in turn. Where yield_every is not 0,
 * work-items yield at values that are multiples of it. */
#include "sluice/wave/wave.h"

#define BINS 256

static SL_LDS uint32_t local_bins[BINS];

SL_KERNEL void histogram_kernel(const uint8_t *values, uint32_t count, uint32_t *bins,
                                uint32_t yield_every)
{
    const uint32_t item = sl_local_id(0);
    const uint32_t items = sl_group_items(0);

    for (uint32_t bin = item; bin < BINS; bin += items) {
        local_bins[bin] = 0;
    }
    sl_barrier();
    for (uint32_t i = sl_global_id(0); i < count; i += sl_grid_size(0)) {
        const uint32_t value = values[i];
        if (yield_every != 0 && value % yield_every == 0) {
            sl_yield(0, value);
        }
        sl_atomic_add_u32_workgroup(&local_bins[value], 1);
    }
    sl_barrier();
    for (uint32_t bin = item; bin < BINS; bin += items) {
        sl_atomic_add_u32(&bins[bin], local_bins[bin]);
    }
}
