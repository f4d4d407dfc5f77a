/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Four steps of the plate in one launch. A work-group loads a tile into LDS, a cell for each
 * work-item, and goes on from there. What is outside of the tile it does not know, so that after
 * each step one more ring of cells along the tile's border is wrong: tiles overlap by that much,
 * and only the cells in the middle are stored. */
#include <stdbool.h>
#include <stdint.h>

#include <sluice/wave/wave.h>

#include "stencil.h"

/* Whether a place is among `count`, with at least `margin` of them on either side. */
static inline bool is_within(int place, int margin, int count)
{
    return place >= margin && place < count - margin;
}

SL_KERNEL void stencil_kernel(const float *from, float *to, int side)
{
    static SL_LDS float tile[2][TILE][TILE]; /* this step's and the next one's */
    const int column = (int)sl_local_id(0);
    const int row = (int)sl_local_id(1);
    const int x = (int)sl_group_id(0) * RESULT + column - STEPS_AT_ONCE;
    const int y = (int)sl_group_id(1) * RESULT + row - STEPS_AT_ONCE;
    const bool is_on_plate = is_within(x, 0, side) && is_within(y, 0, side);
    const bool changes = is_within(column, 1, TILE) && is_within(row, 1, TILE) &&
                         is_within(x, 1, side) && is_within(y, 1, side);
    float cell = is_on_plate ? from[y * side + x] : 0.0f;

    for (int step = 0; step < STEPS_AT_ONCE; step++) {
        float(*const now)[TILE] = tile[step % 2];
        now[row][column] = cell;
        sl_barrier();
        if (changes) {
            cell = next_step(cell, now[row][column - 1], now[row][column + 1], now[row - 1][column],
                             now[row + 1][column]);
        }
    }
    if (is_on_plate && is_within(column, STEPS_AT_ONCE, TILE) &&
        is_within(row, STEPS_AT_ONCE, TILE)) {
        to[y * side + x] = cell;
    }
}
