/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of mttop_hotspot.c: a work-group computes a row after the other, with a work-item for
 * each cell. Cells at the chip's edge are neighbours of themselves. */
#include "sluice/wave/device_barrier.h"
#include "sluice/wave/wave.h"
#include "workloads/hotspot/mttop_hotspot.h"

static inline float cell_after(const struct flow *flow, const float *power, const float *from,
                               uint32_t row, uint32_t column, uint32_t n)
{
    const uint32_t i = row * n + column;
    const uint32_t north = row > 0 ? i - n : i, south = row + 1 < n ? i + n : i;
    const uint32_t west = column > 0 ? i - 1 : i, east = column + 1 < n ? i + 1 : i;

    return temperature_after(flow, from[i], from[north], from[south], from[west], from[east],
                             power[i]);
}

SL_KERNEL void hotspot_steps(struct sl_device_barrier *barrier, const struct chip *chip)
{
    const struct flow flow = chip->flow;
    const float *const power = chip->power;
    const float *from = chip->temperatures[0];
    float *to = chip->temperatures[1];
    const uint32_t n = chip->n, steps = chip->steps;

    for (uint32_t step = 0; step < steps; step++) {
        for (uint32_t row = sl_group_id(0); row < n; row += sl_group_count(0)) {
            for (uint32_t i = sl_local_id(0); i < n; i += sl_group_size(0)) {
                to[row * n + i] = cell_after(&flow, power, from, row, i, n);
            }
        }
        sl_device_barrier(barrier);
        float *const next = (float *)from;
        from = to;
        to = next;
    }
}
