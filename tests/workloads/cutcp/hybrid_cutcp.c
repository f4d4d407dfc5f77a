/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Electrostatic potential of atoms at N x N x N points, of each atom as far as it reaches
 * (docs/know/hybrid-programs.md, "hybrid_cutcp"): atoms are sorted into cells by the host, and a
 * launch adds up the atoms of the cells around each point. Its kernel is hybrid_cutcp_kernel.c. */
#include "workloads/cutcp/hybrid_cutcp.h"

#include <math.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/hybrid.h"
#include "workloads/common/random_below.h"

#define GROUP 128

/* Edges of the lattice in tiles, and of the cells, which are one more on all sides. */
struct lattice {
    uint32_t tiles_x;
    uint32_t tiles_y; /* and in z */
    uint32_t cells_x;
    uint32_t cells_y; /* and in z */
};

struct arguments {
    uint32_t n;
    uint32_t atom_count; /* 0 before the run: as many as points */
    struct lattice lattice;
    struct atom *atoms; /* cell by cell */
    uint32_t *begin;    /* of each cell, and behind the last */
    float *potentials;  /* tile by tile */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 160, SL_INTO(struct arguments, n)},
    {"atoms", 'a', SL_NUMBER, 1, 4194304, SL_INTO(struct arguments, atom_count),
     "Atoms (default as many as points)"},
    {0},
};

static struct lattice lattice_of(uint32_t n)
{
    const uint32_t tiles_x = (n - 1) / CUTCP_TILE_X + 1, tiles_y = (n - 1) / CUTCP_TILE_Y + 1;

    return (struct lattice){tiles_x, tiles_y, CUTCP_CELLS_X * tiles_x + 2,
                            CUTCP_CELLS_Y * tiles_y + 2};
}

static uint32_t tiles_of(const struct lattice *lattice)
{
    return lattice->tiles_x * lattice->tiles_y * lattice->tiles_y;
}

static uint32_t cells_of(const struct lattice *lattice)
{
    return lattice->cells_x * lattice->cells_y * lattice->cells_y;
}

/* Anywhere along n points in a row, and on none of them. */
static float coordinate(uint32_t *random, uint32_t n)
{
    return ((float)random_below(random, n * 1024) + 0.5f) / 1024;
}

/* Positive charges and negative ones. */
static struct atom random_atom(uint32_t *random, uint32_t n)
{
    struct atom atom;

    atom.x = coordinate(random, n);
    atom.y = coordinate(random, n);
    atom.z = coordinate(random, n);
    atom.charge = ((float)random_below(random, 2048) - 1023.5f) / 1024;
    return atom;
}

static uint32_t cell_of(const struct lattice *lattice, const struct atom *atom)
{
    const uint32_t x = (uint32_t)atom->x / CUTCP_CELL, y = (uint32_t)atom->y / CUTCP_CELL;
    const uint32_t z = (uint32_t)atom->z / CUTCP_CELL;

    return ((z + 1) * lattice->cells_y + y + 1) * lattice->cells_x + x + 1;
}

/* Makes the atoms twice from the same numbers: to count those of each cell, and to put them in
 * their places. Each cell begins where the one before it ends, once all are there. */
static void fill(const struct arguments *arguments)
{
    const struct lattice *const lattice = &arguments->lattice;
    const uint32_t count = arguments->atom_count, cells = cells_of(lattice);
    uint32_t *const begin = arguments->begin;
    uint32_t random = 1, sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct atom atom = random_atom(&random, arguments->n);
        begin[cell_of(lattice, &atom)]++;
    }
    for (uint32_t cell = 0; cell <= cells; cell++) {
        sum += begin[cell];
        begin[cell] = sum;
    }
    random = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct atom atom = random_atom(&random, arguments->n);
        arguments->atoms[--begin[cell_of(lattice, &atom)]] = atom;
    }
}

static uint64_t place_of(const struct lattice *lattice, uint32_t x, uint32_t y, uint32_t z)
{
    const uint64_t tile =
        ((uint64_t)(z / CUTCP_TILE_Z) * lattice->tiles_y + y / CUTCP_TILE_Y) * lattice->tiles_x +
        x / CUTCP_TILE_X;
    const uint32_t item = y % CUTCP_TILE_Y * CUTCP_TILE_X + x % CUTCP_TILE_X;

    return tile * CUTCP_TILE + z % CUTCP_TILE_Z * CUTCP_ITEMS + item;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct lattice *const lattice = &arguments->lattice;
    const uint32_t n = arguments->n;

    if (arguments->atom_count == 0) {
        arguments->atom_count = n * n * n;
    }
    *lattice = lattice_of(n);
    const uint32_t tiles = tiles_of(lattice);
    arguments->atoms =
        sl_app_alloc(soc, arguments->atom_count * sizeof *arguments->atoms, HYBRID_LINE);
    arguments->begin =
        sl_app_alloc(soc, (cells_of(lattice) + 1) * sizeof *arguments->begin, HYBRID_LINE);
    arguments->potentials =
        sl_app_alloc(soc, (size_t)tiles * CUTCP_TILE * sizeof(float), HYBRID_LINE);
    fill(arguments);
    const enum sl_status status =
        sl_app_launch(soc, "cutcp_potentials", tiles * CUTCP_ITEMS, GROUP, 0,
                      SL_VALUES(arguments->atoms, arguments->begin, arguments->potentials,
                                lattice->tiles_x, lattice->tiles_y));
    if (status == SL_OK) {
        const uint64_t middle = place_of(lattice, n / 2, n / 2, n / 2);
        sl_app_result("hybrid_cutcp(%" PRIu32 ") = %.4g", n, (double)arguments->potentials[middle]);
    }
    return status;
}

/* The points within reach of a coordinate, of those from 0 to `end` - 1. */
struct span {
    uint32_t begin;
    uint32_t end;
};

static struct span reach(float coordinate, uint32_t end)
{
    const uint32_t below = (uint32_t)coordinate;
    const uint32_t begin = below < CUTCP_CELL ? 0 : below + 1 - CUTCP_CELL;

    return (struct span){begin, below + CUTCP_CELL < end ? below + CUTCP_CELL + 1 : end};
}

/* Adds what an atom gives to the point of a place, where it reaches so far. */
static void add(const struct atom *atom, uint32_t x, uint32_t y, uint32_t z, double *potential)
{
    const double across = (double)atom->x - x, along = (double)atom->y - y;
    const double up = (double)atom->z - z;
    const double square = across * across + along * along + up * up;

    if (square < CUTCP_CELL * CUTCP_CELL) {
        const double fall = 1 - square / (CUTCP_CELL * CUTCP_CELL);
        *potential += (double)atom->charge * fall * fall / sqrt(square);
    }
}

static void add_to_lattice(const struct lattice *lattice, const struct atom *atom,
                           double *potentials)
{
    const struct span across = reach(atom->x, lattice->tiles_x * CUTCP_TILE_X);
    const struct span along = reach(atom->y, lattice->tiles_y * CUTCP_TILE_Y);
    const struct span up = reach(atom->z, lattice->tiles_y * CUTCP_TILE_Z);

    for (uint32_t z = up.begin; z < up.end; z++) {
        for (uint32_t y = along.begin; y < along.end; y++) {
            for (uint32_t x = across.begin; x < across.end; x++) {
                add(atom, x, y, z, &potentials[place_of(lattice, x, y, z)]);
            }
        }
    }
}

/* All points of all tiles. */
static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t points = (size_t)tiles_of(&arguments->lattice) * CUTCP_TILE;
    double *const potentials = sl_app_memory(points, sizeof *potentials);

    for (uint32_t i = 0; i < arguments->atom_count; i++) {
        add_to_lattice(&arguments->lattice, &arguments->atoms[i], potentials);
    }
    const bool is_near =
        floats_are_near("point", arguments->potentials, potentials, points, HYBRID_TOLERANCE);
    free(potentials);
    return is_near;
}

static const struct sl_app app = {
    .doc = "Compute the electrostatic potential of atoms, each of which reaches two points far, "
           "at N x N x N points on the simulated accelerator, and check all of them.\vThe result "
           "is the potential in the middle.",
    .table = table,
    .arguments = &(struct arguments){.n = 64},
    .kernels = "hybrid_cutcp.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
