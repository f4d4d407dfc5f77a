/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of hybrid_cutcp.c. A work-item has a column of four points and keeps their potentials
 * in registers; wavefronts of 32 lanes have a tile, load each atom of the cells in and around it
 * once for all lanes, and store whole lines. */
#include "sluice/wave/wave.h"
#include "workloads/common/square_root.h"
#include "workloads/cutcp/hybrid_cutcp.h"

#define REACH_SQUARE ((float)(CUTCP_CELL * CUTCP_CELL))

/* Rows of cells in and around a tile. */
#define ROWS_Y (CUTCP_CELLS_Y + 2)
#define ROWS_Z (CUTCP_CELLS_Z + 2)

/* Adds the potential of a charge at a squared distance, where it reaches so far. */
static inline void add(float *potential, float charge, float square)
{
    if (square < REACH_SQUARE) {
        const float fall = 1 - square * (1 / REACH_SQUARE);
        *potential += charge * fall * fall / square_root(square);
    }
}

/* Tiles go first in x, then in y, then in z, and so do cells, of which there is one more on all
 * sides: the cells in and around a tile are rows, and the atoms of a row lie side by side. */
SL_KERNEL void cutcp_potentials(const struct atom *atoms, const uint32_t *begin, float *potentials,
                                uint32_t tiles_x, uint32_t tiles_y)
{
    const uint32_t tile = sl_global_id(0) / CUTCP_ITEMS, item = sl_global_id(0) % CUTCP_ITEMS;
    const uint32_t tile_y = tile / tiles_x % tiles_y, tile_z = tile / tiles_x / tiles_y;
    const uint32_t row = CUTCP_CELLS_X * tiles_x + 2; /* cells, as those of a plane */
    const uint32_t plane = row * (CUTCP_CELLS_Y * tiles_y + 2);
    const float x = (float)(tile % tiles_x * CUTCP_TILE_X + item % CUTCP_TILE_X);
    const float y = (float)(tile_y * CUTCP_TILE_Y + item / CUTCP_TILE_X);
    const float z = (float)(tile_z * CUTCP_TILE_Z);
    float sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;

    begin += CUTCP_CELLS_Z * tile_z * plane + CUTCP_CELLS_Y * tile_y * row +
             CUTCP_CELLS_X * (tile % tiles_x);
    for (uint32_t above = 0; above < ROWS_Z; above++, begin += plane - ROWS_Y * row) {
        for (uint32_t behind = 0; behind < ROWS_Y; behind++, begin += row) {
            const struct atom *atom = atoms + begin[0];
            const struct atom *const end = atoms + begin[CUTCP_CELLS_X + 2];
            for (; atom < end; atom++) {
                const float across = atom->x - x, along = atom->y - y, up = atom->z - z;
                const float up1 = up - 1, up2 = up - 2, up3 = up - 3;
                const float charge = atom->charge, flat = across * across + along * along;
                add(&sum0, charge, flat + up * up);
                add(&sum1, charge, flat + up1 * up1);
                add(&sum2, charge, flat + up2 * up2);
                add(&sum3, charge, flat + up3 * up3);
            }
        }
    }
    potentials += tile * CUTCP_TILE + item;
    potentials[0] = sum0;
    potentials[CUTCP_ITEMS] = sum1;
    potentials[2 * CUTCP_ITEMS] = sum2;
    potentials[3 * CUTCP_ITEMS] = sum3;
}
