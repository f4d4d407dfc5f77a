/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of barneshut.c share: particles, and the octree over them.
 *
 * A cell is a cube; its eight children are slots for what is in each eighth of it: nothing, a
 * particle, or a cell that has two or more. Cells are numbered, 0 being the root, in the order in
 * which they are taken from the pool, so that a child's number is greater than its parent's. Bit 0
 * of an octant's number says that it is on the greater side of the centre in x, bit 1 in y, bit 2
 * in z. */
#ifndef SLUICE_WORKLOADS_BARNESHUT_TREE_H
#define SLUICE_WORKLOADS_BARNESHUT_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/lock.h"

#define OCTANTS 8

/* What a slot holds: the number of a particle, or one of these. */
#define SLOT_CELL   0x40000000u /* together with the number of the cell */
#define SLOT_EMPTY  0x80000000u
#define SLOT_LOCKED 0x80000001u /* --locks atomics: somebody is at it */

/* A slot with its lock, which one load gets together. With --locks atomics, slots are words, as the
 * lock is in them. */
struct slot {
    _Alignas(8) uint32_t child;
    sl_lock_t lock;
};

/* What a cell holds, as one particle. */
struct centre {
    float x;
    float y;
    float z;
    float mass; /* 0 until the others are there */
};

/* Coordinates are multiples of 2^-16 and less than 64: so are, but for two bits more, the centres
 * of all cells that are needed to tell two of them apart, and floats have them exactly. */
#define COORDINATE_UNIT (1.0f / 65536)
#define COORDINATE_MAX  63.0f

/* In shared memory. What many change has a line of its own. */
struct tree {
    const float *x;
    const float *y;
    const float *z;
    void *slots; /* OCTANTS for each cell: struct slot, or words with --locks atomics */
    struct centre *centres;
    float mass;                     /* of a particle */
    uint32_t n;                     /* particles */
    uint32_t capacity;              /* cells that there is room for */
    _Alignas(64) uint32_t extent;   /* bits of the greatest magnitude of a coordinate */
    _Alignas(64) uint32_t cells;    /* that are taken */
    _Alignas(64) uint32_t sections; /* critical sections that were executed */
    uint32_t idle_sections;         /* of which so many inserted nothing */
};

static inline bool slot_is_cell(uint32_t child)
{
    return (child & SLOT_CELL) != 0;
}

/* A cube. */
struct cube {
    float x; /* its centre */
    float y;
    float z;
    float offset; /* of its eighths' centres from it, in each direction */
};

/* The eighth of a cube that a place is in. */
static inline uint32_t cube_octant(const struct cube *cube, float x, float y, float z)
{
    return (uint32_t)(x > cube->x) | (uint32_t)(y > cube->y) << 1 | (uint32_t)(z > cube->z) << 2;
}

/* That eighth. */
static inline void cube_enter(struct cube *cube, uint32_t octant)
{
    cube->x += octant & 1 ? cube->offset : -cube->offset;
    cube->y += octant & 2 ? cube->offset : -cube->offset;
    cube->z += octant & 4 ? cube->offset : -cube->offset;
    cube->offset *= 0.5f;
}

/* The root's: around 0, half as wide as the next power of two above the extent. */
static inline struct cube cube_root(uint32_t extent)
{
    const uint32_t bits = extent & 0x7f800000;
    float offset;
    __builtin_memcpy(&offset, &bits, sizeof offset);
    return (struct cube){.offset = offset};
}

#endif
