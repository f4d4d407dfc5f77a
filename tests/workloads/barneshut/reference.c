/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The octree in plain C, without inserting anything: a cube with two particles or more is a cell,
 * and its particles are parted by octants. Which cells there are does not depend on any order, nor
 * does what they weigh, as a cell's octants are summed up in the order of their numbers. */
#include "workloads/barneshut/reference.h"

#include <math.h>
#include <stdlib.h>

#include "sluice/program.h"

struct walk {
    const struct tree *tree;
    bool has_locks;
    uint32_t cells;    /* found so far */
    uint32_t *scratch; /* room for as many particles as there are */
    const char *wrong; /* what is, or NULL */
    uint32_t cell;     /* where */
};

static uint32_t child_at(const struct walk *walk, uint32_t cell, uint32_t octant)
{
    const uint32_t number = cell * OCTANTS + octant;

    return walk->has_locks ? ((const struct slot *)walk->tree->slots)[number].child
                           : ((const uint32_t *)walk->tree->slots)[number];
}

static bool fail(struct walk *walk, const char *wrong, uint32_t cell)
{
    walk->wrong = wrong;
    walk->cell = cell;
    return false;
}

/* Sorts particles by their octants in a cube: those of octant i are from first[i] on, and before
 * first[i + 1]. */
static void part(const struct walk *walk, const struct cube *cube, uint32_t *particles,
                 uint32_t count, uint32_t first[OCTANTS + 1])
{
    const struct tree *const tree = walk->tree;
    uint32_t *const sorted = walk->scratch;
    uint32_t placed = 0;

    for (uint32_t octant = 0; octant < OCTANTS; octant++) {
        first[octant] = placed;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t body = particles[i];
            if (cube_octant(cube, tree->x[body], tree->y[body], tree->z[body]) == octant) {
                sorted[placed++] = body;
            }
        }
    }
    first[OCTANTS] = placed;
    for (uint32_t i = 0; i < count; i++) {
        particles[i] = sorted[i];
    }
}

static void add(struct centre *sum, const struct centre *centre)
{
    sum->x = fmaf(centre->x, centre->mass, sum->x);
    sum->y = fmaf(centre->y, centre->mass, sum->y);
    sum->z = fmaf(centre->z, centre->mass, sum->z);
    sum->mass += centre->mass;
}

static bool is_equal(const struct centre *a, const struct centre *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z && a->mass == b->mass;
}

static bool walk_cell(struct walk *walk, uint32_t cell, const struct cube *cube,
                      uint32_t *particles, uint32_t count, struct centre *centre);

/* What a slot holds has to be these particles, all that are in that cube. */
static bool walk_slot(struct walk *walk, uint32_t cell, uint32_t octant, const struct cube *cube,
                      uint32_t *particles, uint32_t count, struct centre *sum)
{
    const struct tree *const tree = walk->tree;
    const uint32_t child = child_at(walk, cell, octant);
    struct centre centre;

    if (count == 0) {
        return child == SLOT_EMPTY || fail(walk, "a slot is not empty", cell);
    }
    if (count == 1) {
        const uint32_t body = particles[0];
        add(sum, &(struct centre){tree->x[body], tree->y[body], tree->z[body], tree->mass});
        return child == body || fail(walk, "a particle is not in its slot", cell);
    }
    if (!slot_is_cell(child) || (child & ~SLOT_CELL) <= cell ||
        (child & ~SLOT_CELL) >= tree->cells) {
        return fail(walk, "a slot does not lead to a cell", cell);
    }
    if (!walk_cell(walk, child & ~SLOT_CELL, cube, particles, count, &centre)) {
        return false;
    }
    add(sum, &centre);
    return true;
}

static bool walk_cell(struct walk *walk, uint32_t cell, const struct cube *cube,
                      uint32_t *particles, uint32_t count, struct centre *centre)
{
    uint32_t first[OCTANTS + 1];
    struct centre sum = {0};

    walk->cells++;
    part(walk, cube, particles, count, first);
    for (uint32_t octant = 0; octant < OCTANTS; octant++) {
        struct cube eighth = *cube;
        cube_enter(&eighth, octant);
        if (!walk_slot(walk, cell, octant, &eighth, particles + first[octant],
                       first[octant + 1] - first[octant], &sum)) {
            return false;
        }
    }
    *centre = (struct centre){sum.x / sum.mass, sum.y / sum.mass, sum.z / sum.mass, sum.mass};
    return is_equal(centre, &walk->tree->centres[cell]) ||
           fail(walk, "the centre of mass is wrong", cell);
}

static uint32_t extent_of(const struct tree *tree)
{
    float greatest = 0;
    uint32_t bits;

    for (uint32_t i = 0; i < tree->n; i++) {
        greatest =
            fmaxf(greatest, fmaxf(fabsf(tree->x[i]), fmaxf(fabsf(tree->y[i]), fabsf(tree->z[i]))));
    }
    __builtin_memcpy(&bits, &greatest, sizeof bits);
    return bits;
}

static bool walk_tree(struct walk *walk, uint32_t *particles)
{
    const struct tree *const tree = walk->tree;
    const struct cube root = cube_root(extent_of(tree));
    struct centre centre;

    for (uint32_t i = 0; i < tree->n; i++) {
        particles[i] = i;
    }
    if (!walk_cell(walk, 0, &root, particles, tree->n, &centre)) {
        return false;
    }
    return walk->cells == tree->cells || fail(walk, "cells lead nowhere", walk->cells);
}

bool reference_is_tree(const struct tree *tree, bool has_locks)
{
    uint32_t *const particles = sl_app_memory(2 * (size_t)tree->n, sizeof *particles);
    struct walk walk = {.tree = tree, .has_locks = has_locks, .scratch = particles + tree->n};

    const bool is_tree = walk_tree(&walk, particles);

    free(particles);
    return sl_app_check(is_tree, "cell %" PRIu32 ": %s", walk.cell, walk.wrong);
}
