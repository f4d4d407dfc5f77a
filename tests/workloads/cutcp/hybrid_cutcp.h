/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of hybrid_cutcp.c share: a box of points, of atoms, and of cells in
 * which the atoms are. Lengths are in distances of neighbouring points. */
#ifndef SLUICE_WORKLOADS_CUTCP_HYBRID_CUTCP_H
#define SLUICE_WORKLOADS_CUTCP_HYBRID_CUTCP_H

#include <stdint.h>

#define CUTCP_CELL   2 /* the edge of a cell, and as far as an atom reaches */
#define CUTCP_TILE_X 8 /* points of a tile in x, in y and in z */
#define CUTCP_TILE_Y 4
#define CUTCP_TILE_Z 4
#define CUTCP_ITEMS  (CUTCP_TILE_X * CUTCP_TILE_Y) /* of a tile: each has a column of points */
#define CUTCP_TILE   (CUTCP_ITEMS * CUTCP_TILE_Z)  /* points of a tile */

/* Cells of a tile in x, in y and in z. */
#define CUTCP_CELLS_X (CUTCP_TILE_X / CUTCP_CELL)
#define CUTCP_CELLS_Y (CUTCP_TILE_Y / CUTCP_CELL)
#define CUTCP_CELLS_Z (CUTCP_TILE_Z / CUTCP_CELL)

struct atom {
    float x;
    float y;
    float z;
    float charge;
};

#endif
