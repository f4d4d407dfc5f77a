/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* N bodies that attract each other, by the algorithm of Barnes and Hut
 * (docs/know/consistency-programs.md, "mttop_barnes_hut"): all steps in one launch. Its kernel is
 * mttop_barnes_hut_kernel.c.
 *
 * Plain C builds the same trees, and computes of each cell and each body the same, so that places
 * and velocities have to be equal to the last bit. That the tree is good enough is checked by
 * itself: the accelerations of the first step are compared with sums over all bodies, in double
 * precision. */
#include "workloads/barneshut/mttop_barnes_hut.h"

#include <math.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/matrix.h"
#include "workloads/common/resident.h"

#define LEAF_BODIES 1 /* on the average at most, but for DEPTH_MAX */
#define DEPTH_MAX   5

#define DIRECT_MAX 1024 /* bodies whose accelerations are compared with sums over all */
#define ERROR_MAX  0.02 /* of these, as root mean square, relative to the sums' */

struct arguments {
    uint32_t n;
    uint32_t steps;
    uint32_t groups;
    struct galaxy *galaxy; /* in the shared heap, as is what it points to */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 65536, SL_INTO(struct arguments, n)},
    {"steps", 's', SL_NUMBER, 1, STEPS_MAX, SL_INTO(struct arguments, steps), "Steps in time"},
    RESIDENT_ROW(struct arguments, groups),
    {0},
};

static uint32_t depth_for(uint32_t n)
{
    uint32_t depth = 1;

    while (depth < DEPTH_MAX && first_of_level(depth) * LEAF_BODIES < n) {
        depth++;
    }
    return depth;
}

/* So many things at an address, which goes on behind them. */
static uintptr_t take(uintptr_t *at, size_t count, size_t bytes)
{
    const uintptr_t taken = *at;

    *at += (count * bytes + 63) / 64 * 64;
    return taken;
}

/* Gives a galaxy its arrays, one behind the other. Returns the address behind the last. */
static uintptr_t arrange(struct galaxy *galaxy, uintptr_t at)
{
    const size_t n = galaxy->n, cells = 2 * (size_t)first_of_level(galaxy->depth);

    galaxy->bodies = (struct body *)take(&at, n, sizeof(struct body));
    galaxy->velocity = (struct vector *)take(&at, n, sizeof(struct vector));
    galaxy->acceleration = (struct vector *)take(&at, n, sizeof(struct vector));
    galaxy->leaf = (uint32_t *)take(&at, n, sizeof(uint32_t));
    galaxy->nodes = (struct node *)take(&at, cells + n, sizeof(struct node));
    galaxy->ranges = (struct range *)take(&at, cells, sizeof(struct range));
    galaxy->extent = (uint32_t *)take(&at, galaxy->steps, sizeof(uint32_t));
    return at;
}

/* At rest, in a cube, and closer together where its middle is. All memory is zero. */
static void fill(const struct galaxy *galaxy)
{
    uint64_t random = 1;

    for (uint32_t i = 0; i < galaxy->n; i++) {
        float at[3];
        matrix_fill(at, 3, &random);
        const float closer = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
        galaxy->bodies[i] =
            (struct body){closer * at[0], closer * at[1], closer * at[2], 1 / (float)galaxy->n};
    }
    for (uint32_t step = 0; step < galaxy->steps; step++) {
        galaxy->extent[step] = extent_bits(SOFTENING);
    }
}

static struct galaxy *make(struct sl_soc *soc, const struct arguments *arguments)
{
    struct galaxy *const galaxy = sl_app_alloc(soc, sizeof *galaxy, 0);

    galaxy->n = arguments->n;
    galaxy->depth = depth_for(arguments->n);
    galaxy->steps = arguments->steps;
    (void)arrange(galaxy, (uintptr_t)sl_app_alloc(soc, arrange(galaxy, 0), 0));
    fill(galaxy);
    return galaxy;
}

static double mean_distance(const struct galaxy *galaxy)
{
    double sum = 0;

    for (uint32_t i = 0; i < galaxy->n; i++) {
        const struct body *const body = &galaxy->bodies[i];
        const double x = (double)body->x, y = (double)body->y, z = (double)body->z;
        sum += sqrt(x * x + y * y + z * z);
    }
    return sum / galaxy->n;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    arguments->galaxy = make(soc, arguments);
    const enum sl_status status = resident_run(soc, "barnes_hut_steps", arguments->groups,
                                               arguments->n, SL_VALUES(arguments->galaxy));
    if (status == SL_OK) {
        sl_app_result("mttop_barnes_hut(%" PRIu32 ") = %.9g", arguments->n,
                      mean_distance(arguments->galaxy));
    }
    return status;
}

/* Bodies get their leaves and are sorted by them. */
static void place_in_plain_c(const struct galaxy *galaxy, float extent)
{
    struct range *const ranges = galaxy->ranges;

    for (uint32_t leaf = first_of_level(galaxy->depth); leaf < 2 * first_of_level(galaxy->depth);
         leaf++) {
        ranges[leaf].count = 0;
        ranges[leaf].taken = 0;
    }
    for (uint32_t i = 0; i < galaxy->n; i++) {
        galaxy->leaf[i] = leaf_of(&galaxy->bodies[i], extent, galaxy->depth);
        ranges[galaxy->leaf[i]].count++;
    }
    for (uint32_t level = galaxy->depth; level-- > 0;) {
        for (uint32_t cell = first_of_level(level); cell < 2 * first_of_level(level); cell++) {
            count_children(galaxy, cell);
        }
    }
    place_root(galaxy, extent);
    for (uint32_t level = 0; level < galaxy->depth; level++) {
        for (uint32_t cell = first_of_level(level); cell < 2 * first_of_level(level); cell++) {
            place_children(galaxy, cell, level);
        }
    }
    for (uint32_t i = 0; i < galaxy->n; i++) {
        struct range *const leaf = &ranges[galaxy->leaf[i]];
        galaxy->nodes[first_body(galaxy) + leaf->first + leaf->taken++].order = i;
    }
}

static void accelerate_in_plain_c(const struct galaxy *galaxy)
{
    float extent = SOFTENING;

    for (uint32_t i = 0; i < galaxy->n; i++) {
        extent = larger(extent, reach_of(&galaxy->bodies[i]));
    }
    place_in_plain_c(galaxy, extent);
    for (uint32_t leaf = first_of_level(galaxy->depth); leaf < 2 * first_of_level(galaxy->depth);
         leaf++) {
        fill_leaf(galaxy, leaf);
    }
    for (uint32_t level = galaxy->depth; level-- > 0;) {
        for (uint32_t cell = first_of_level(level); cell < 2 * first_of_level(level); cell++) {
            weigh_children(galaxy, cell);
        }
    }
    for (uint32_t i = 0; i < galaxy->n; i++) {
        galaxy->acceleration[i] = acceleration_at(galaxy, &galaxy->bodies[i], sqrtf);
    }
}

/* Adds to `pull` what a body feels from all others. */
static void attract_directly(const struct galaxy *galaxy, const struct body *at, double pull[3])
{
    for (uint32_t i = 0; i < galaxy->n; i++) {
        const struct body *const from = &galaxy->bodies[i];
        const double x = (double)from->x - (double)at->x, y = (double)from->y - (double)at->y;
        const double z = (double)from->z - (double)at->z;
        const double softening = (double)SOFTENING;
        const double square = x * x + y * y + z * z + softening * softening;
        const double strength = (double)from->mass / (square * sqrt(square));
        pull[0] += strength * x;
        pull[1] += strength * y;
        pull[2] += strength * z;
    }
}

/* Whether the tree's accelerations are close enough to those of all bodies by themselves. */
static bool is_good(const struct galaxy *galaxy)
{
    double difference = 0, norm = 0;

    for (uint32_t i = 0; i < galaxy->n && i < DIRECT_MAX; i++) {
        const struct vector *const is = &galaxy->acceleration[i];
        const double tree[3] = {(double)is->x, (double)is->y, (double)is->z};
        double pull[3] = {0, 0, 0};
        attract_directly(galaxy, &galaxy->bodies[i], pull);
        for (int d = 0; d < 3; d++) {
            difference += (tree[d] - pull[d]) * (tree[d] - pull[d]);
            norm += pull[d] * pull[d];
        }
    }
    return sl_app_check(difference <= ERROR_MAX * ERROR_MAX * norm,
                        "the relative error of accelerations is %.3g, should be %.3g at most",
                        sqrt(difference / norm), ERROR_MAX);
}

/* Moves bodies in plain C. Returns whether the first accelerations are good. */
static bool move_in_plain_c(const struct galaxy *galaxy)
{
    bool is_right = false;

    for (uint32_t step = 0; step < galaxy->steps; step++) {
        accelerate_in_plain_c(galaxy);
        is_right = step == 0 ? is_good(galaxy) : is_right;
        for (uint32_t i = 0; i < galaxy->n; i++) {
            advance(&galaxy->bodies[i], &galaxy->velocity[i], &galaxy->acceleration[i]);
        }
    }
    return is_right;
}

static bool is_right(const void *input)
{
    const struct galaxy *const galaxy = ((const struct arguments *)input)->galaxy;
    struct galaxy right = *galaxy;
    void *const memory = sl_app_memory(1, arrange(&right, 0));

    (void)arrange(&right, (uintptr_t)memory);
    fill(&right);
    const bool is_equal = move_in_plain_c(&right) &&
                          floats_are_equal("coordinate of bodies", &galaxy->bodies->x,
                                           &right.bodies->x, 4 * (size_t)galaxy->n) &&
                          floats_are_equal("velocity of bodies", &galaxy->velocity->x,
                                           &right.velocity->x, 3 * (size_t)galaxy->n);
    free(memory);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Move N bodies that attract each other on the simulated accelerator, by the algorithm "
           "of Barnes and Hut, all steps in one launch, and check all of them.\vThe result is the "
           "mean distance from the origin.",
    .table = table,
    .arguments = &(struct arguments){.n = 2048, .steps = 2},
    .kernels = "mttop_barnes_hut.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
