/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of mttop_barnes_hut.c share: bodies, the tree over them, and what is
 * computed of one cell or one body. Multiply-adds are fused where the text says so, and nowhere
 * else, so that both sides round alike.
 *
 * The tree has a root, 8 cells below it, and so on, down to leaves at a fixed depth. Cells have
 * numbers: the root is 1, and the children of cell c are 8c to 8c + 7, so that levels have 1, 8 to
 * 15, 64 to 127, and numbers between them are not in use. Behind the last leaf come the bodies,
 * sorted by the leaves that they are in. What is visited of all this is linked: a walk goes to the
 * child of what it opens, and to the next of what it does not. */
#ifndef SLUICE_WORKLOADS_BARNESHUT_MTTOP_BARNES_HUT_H
#define SLUICE_WORKLOADS_BARNESHUT_MTTOP_BARNES_HUT_H

#include <stdbool.h>
#include <stdint.h>

#define STEPS_MAX 64

#define FEW       4     /* bodies of a cell whose children are these, not cells */
#define THETA     0.7f  /* a cell is far where its side is less than that part of the distance */
#define SOFTENING 0.02f /* a distance that is added, so that bodies can meet */
#define STEP_TIME 0.01f

/* An extent as a number to find the largest of: floats that are not negative compare as their bits
 * do. */
static inline uint32_t extent_bits(float extent)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &extent, sizeof bits);
    return bits;
}

static inline float extent_of(uint32_t bits)
{
    float extent;
    __builtin_memcpy(&extent, &bits, sizeof extent);
    return extent;
}

struct vector {
    float x;
    float y;
    float z;
};

/* A body; or bodies together, at their centre of mass. */
struct body {
    float x;
    float y;
    float z;
    float mass;
};

/* A cell, or a body: what a walk needs of it. */
struct node {
    struct body body;
    float opening; /* the squared distance below which it is opened; 0 for bodies */
    uint32_t child;
    uint32_t next;  /* behind all that is below it; 0: the end */
    uint32_t order; /* of a body: its number */
};

/* The bodies of a cell. */
struct range {
    uint32_t first; /* of the sorted ones */
    uint32_t count;
    uint32_t taken; /* of a leaf: places of sorted bodies */
};

struct galaxy {
    struct body *bodies;
    struct vector *velocity;
    struct vector *acceleration;
    uint32_t *leaf;       /* of each body */
    struct node *nodes;   /* of cells, then of sorted bodies */
    struct range *ranges; /* of each cell */
    /* For each step: the largest coordinate's absolute value, as a float's bits. The root goes from
     * there to there. */
    uint32_t *extent;
    uint32_t n;
    uint32_t depth; /* of the leaves, at least 1 */
    uint32_t steps;
};

/* The first leaf; there are as many. And the first cell of a level, likewise. */
static inline uint32_t first_of_level(uint32_t level)
{
    return 1u << (3 * level);
}

/* The node of the first body: that behind the last leaf. */
static inline uint32_t first_body(const struct galaxy *galaxy)
{
    return 2 * first_of_level(galaxy->depth);
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float reach_of(const struct body *body)
{
    return larger(larger(__builtin_fabsf(body->x), __builtin_fabsf(body->y)),
                  __builtin_fabsf(body->z));
}

static inline uint32_t place_along(float at, float extent, float scale, uint32_t side)
{
    const uint32_t place = (uint32_t)((at + extent) * scale);
    return place < side ? place : side - 1;
}

static inline uint32_t leaf_of(const struct body *body, float extent, uint32_t depth)
{
    const uint32_t side = 1u << depth;
    const float scale = (float)side / (2 * extent);
    const uint32_t x = place_along(body->x, extent, scale, side);
    const uint32_t y = place_along(body->y, extent, scale, side);
    const uint32_t z = place_along(body->z, extent, scale, side);
    uint32_t cell = 1;

    for (uint32_t level = depth; level-- > 0;) {
        cell = cell * 8 + (x >> level & 1) * 4 + (y >> level & 1) * 2 + (z >> level & 1);
    }
    return cell;
}

static inline void count_children(const struct galaxy *galaxy, uint32_t cell)
{
    uint32_t count = 0;

    for (uint32_t child = 8 * cell; child < 8 * cell + 8; child++) {
        count += galaxy->ranges[child].count;
    }
    galaxy->ranges[cell].count = count;
}

/* Makes its bodies the children of a cell. */
static inline void link_bodies(const struct galaxy *galaxy, uint32_t cell)
{
    struct node *const nodes = galaxy->nodes;
    const uint32_t first = first_body(galaxy) + galaxy->ranges[cell].first;
    const uint32_t end = first + galaxy->ranges[cell].count;

    nodes[cell].child = first;
    for (uint32_t body = first; body < end; body++) {
        nodes[body].opening = 0;
        nodes[body].next = body + 1 < end ? body + 1 : nodes[cell].next;
    }
}

static inline void place_root(const struct galaxy *galaxy, float extent)
{
    const float reach = 2 * extent / THETA;

    galaxy->nodes[1].opening = reach * reach;
    galaxy->nodes[1].next = 0;
    galaxy->ranges[1].first = 0;
    galaxy->ranges[1].count = galaxy->n;
    if (galaxy->n <= FEW) {
        link_bodies(galaxy, 1);
    }
}

/* Places the children of a cell that has its place: their bodies follow each other, and, where a
 * walk comes there, those that have any are linked. The cell has `level`. */
static inline void place_children(const struct galaxy *galaxy, uint32_t cell, uint32_t level)
{
    struct node *const nodes = galaxy->nodes;
    struct range *const ranges = galaxy->ranges;
    const bool is_visited = ranges[cell].count > FEW, has_leaves = level + 1 == galaxy->depth;
    uint32_t next = nodes[cell].next;
    uint32_t end = ranges[cell].first + ranges[cell].count;

    for (uint32_t child = 8 * cell + 8; child-- > 8 * cell;) {
        end -= ranges[child].count;
        ranges[child].first = end;
        nodes[child].next = next;
        nodes[child].opening = nodes[cell].opening / 4;
        if (is_visited && (has_leaves || ranges[child].count <= FEW)) {
            link_bodies(galaxy, child);
        }
        next = ranges[child].count > 0 ? child : next;
    }
    if (is_visited) {
        nodes[cell].child = next;
    }
}

static inline void weigh(struct body *sum, const struct body *part)
{
    sum->x = __builtin_fmaf(part->mass, part->x, sum->x);
    sum->y = __builtin_fmaf(part->mass, part->y, sum->y);
    sum->z = __builtin_fmaf(part->mass, part->z, sum->z);
    sum->mass += part->mass;
}

static inline struct body centre_of(struct body sum)
{
    if (sum.mass > 0) {
        sum.x /= sum.mass;
        sum.y /= sum.mass;
        sum.z /= sum.mass;
    }
    return sum;
}

/* Sorts a leaf's bodies by their numbers, which lie there in any order, and adds them up. */
static inline void fill_leaf(const struct galaxy *galaxy, uint32_t leaf)
{
    struct node *const sorted = galaxy->nodes + first_body(galaxy) + galaxy->ranges[leaf].first;
    const uint32_t count = galaxy->ranges[leaf].count;
    struct body sum = {0, 0, 0, 0};

    for (uint32_t i = 1; i < count; i++) {
        const uint32_t number = sorted[i].order;
        uint32_t place = i;
        for (; place > 0 && sorted[place - 1].order > number; place--) {
            sorted[place].order = sorted[place - 1].order;
        }
        sorted[place].order = number;
    }
    for (uint32_t i = 0; i < count; i++) {
        sorted[i].body = galaxy->bodies[sorted[i].order];
        weigh(&sum, &sorted[i].body);
    }
    galaxy->nodes[leaf].body = centre_of(sum);
}

static inline void weigh_children(const struct galaxy *galaxy, uint32_t cell)
{
    struct body sum = {0, 0, 0, 0};

    for (uint32_t child = 8 * cell; child < 8 * cell + 8; child++) {
        weigh(&sum, &galaxy->nodes[child].body);
    }
    galaxy->nodes[cell].body = centre_of(sum);
}

static inline float squared_distance(const struct body *at, const struct body *from)
{
    const float x = from->x - at->x, y = from->y - at->y, z = from->z - at->z;
    return __builtin_fmaf(x, x, __builtin_fmaf(y, y, __builtin_fmaf(z, z, SOFTENING * SOFTENING)));
}

/* The square root is the caller's: kernels have an instruction for it, host programs a library. */
typedef float square_root_fn(float square);

static inline void attract(struct vector *pull, const struct body *at, const struct body *from,
                           float square, square_root_fn *root)
{
    const float strength = from->mass / (square * root(square));
    pull->x = __builtin_fmaf(strength, from->x - at->x, pull->x);
    pull->y = __builtin_fmaf(strength, from->y - at->y, pull->y);
    pull->z = __builtin_fmaf(strength, from->z - at->z, pull->z);
}

/* A walk through the tree, for a body, which attracts itself by nothing. */
static inline struct vector acceleration_at(const struct galaxy *galaxy, const struct body *at,
                                            square_root_fn *root)
{
    struct vector pull = {0, 0, 0};
    uint32_t place = 1;

    do {
        const struct node node = galaxy->nodes[place];
        const float square = squared_distance(at, &node.body);
        if (square < node.opening) {
            place = node.child;
        } else {
            attract(&pull, at, &node.body, square, root);
            place = node.next;
        }
    } while (place != 0);
    return pull;
}

static inline void advance(struct body *body, struct vector *velocity,
                           const struct vector *acceleration)
{
    velocity->x = __builtin_fmaf(STEP_TIME, acceleration->x, velocity->x);
    velocity->y = __builtin_fmaf(STEP_TIME, acceleration->y, velocity->y);
    velocity->z = __builtin_fmaf(STEP_TIME, acceleration->z, velocity->z);
    body->x = __builtin_fmaf(STEP_TIME, velocity->x, body->x);
    body->y = __builtin_fmaf(STEP_TIME, velocity->y, body->y);
    body->z = __builtin_fmaf(STEP_TIME, velocity->z, body->z);
}

#endif
