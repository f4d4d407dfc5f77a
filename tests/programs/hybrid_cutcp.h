/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of hybrid_cutcp.c share: a box of points, of atoms, and of cells in
 * which the atoms are. Lengths are in distances of neighbouring points. */
#ifndef SLUICE_PROGRAMS_HYBRID_CUTCP_H
#define SLUICE_PROGRAMS_HYBRID_CUTCP_H

#include <stdint.h>

#define CUTCP_CELL   4 /* the edge of a cell, and as far as an atom reaches */
#define CUTCP_TILE_X 8 /* points of a tile: two cells side by side */
#define CUTCP_ITEMS                                                                                \
    (CUTCP_TILE_X * CUTCP_CELL)               /* work-items of a tile: a column of points each     \
                                               */
#define CUTCP_TILE (CUTCP_ITEMS * CUTCP_CELL) /* points of a tile */

struct atom {
    float x;
    float y;
    float z;
    float charge;
};

#endif
