/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of qr_hotspot.c. A work-group loads a block of cells into LDS and computes several
 * steps there, each of a block that is smaller by a cell on each side. Its neighbours compute the
 * border, too: that saves them a launch for each step. Cells at the chip's edge are neighbours of
 * themselves. */
#include "sluice/wave/wave.h"
#include "workloads/common/hotspot_cell.h"
#include "workloads/hotspot/qr_hotspot.h"

static SL_LDS float temperatures[2][BLOCK][BLOCK];

static inline bool is_inside(uint32_t x, uint32_t y, uint32_t border)
{
    return x >= border && y >= border && x < BLOCK - border && y < BLOCK - border;
}

SL_KERNEL void hotspot_steps(const float *powers, const float *from, float *to, uint32_t n,
                             uint32_t steps, float lateral, float up, float share)
{
    const struct flow flow = {lateral, up, share};
    const uint32_t x = sl_local_id(0), y = sl_local_id(1);
    const uint32_t side = BLOCK - 2 * steps;
    const uint32_t column = sl_group_id(0) * side + x - steps; /* wraps round before column 0 */
    const uint32_t row = sl_group_id(1) * side + y - steps;
    const bool is_cell = column < n && row < n;
    const uint64_t cell = (uint64_t)row * n + column;
    const uint32_t north = row > 0 ? y - 1 : y, south = row + 1 < n ? y + 1 : y;
    const uint32_t west = column > 0 ? x - 1 : x, east = column + 1 < n ? x + 1 : x;
    float power = 0;

    if (is_cell) {
        temperatures[0][y][x] = from[cell];
        power = powers[cell];
    }
    for (uint32_t step = 1; step <= steps; step++) {
        float(*const before)[BLOCK] = temperatures[(step - 1) % 2];
        sl_barrier();
        if (is_cell && is_inside(x, y, step)) {
            temperatures[step % 2][y][x] =
                temperature_after(&flow, before[y][x], before[north][x], before[south][x],
                                  before[y][west], before[y][east], power);
        }
    }
    if (is_cell && is_inside(x, y, steps)) {
        to[cell] = temperatures[steps % 2][y][x]; /* which is this work-item's own */
    }
}
