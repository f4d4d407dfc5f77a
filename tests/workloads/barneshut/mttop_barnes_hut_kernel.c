/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of mttop_barnes_hut.c: a step in time is a tree that is built from nothing, level by
 * level where cells depend on others, and a walk through it for each body. */
#include "sluice/wave/device_barrier.h"
#include "sluice/wave/wave.h"
#include "workloads/barneshut/mttop_barnes_hut.h"
#include "workloads/common/square_root.h"

/* Empties the leaves, too. */
static inline void measure(const struct galaxy *galaxy, uint32_t *extent)
{
    const uint32_t leaves = first_of_level(galaxy->depth);
    float reach = 0;

    for (uint32_t i = sl_global_id(0); i < galaxy->n; i += sl_grid_size(0)) {
        reach = larger(reach, reach_of(&galaxy->bodies[i]));
    }
    const uint64_t largest = sl_reduce_maxu(extent_bits(reach));
    if (sl_elect()) {
        (void)sl_atomic_max_u32_device(extent, (uint32_t)largest);
    }
    for (uint32_t i = sl_global_id(0); i < leaves; i += sl_grid_size(0)) {
        galaxy->ranges[leaves + i].count = 0;
        galaxy->ranges[leaves + i].taken = 0;
    }
}

static inline void count_bodies(const struct galaxy *galaxy, float extent)
{
    if (sl_global_id(0) == 0) {
        place_root(galaxy, extent);
    }
    for (uint32_t i = sl_global_id(0); i < galaxy->n; i += sl_grid_size(0)) {
        const uint32_t leaf = leaf_of(&galaxy->bodies[i], extent, galaxy->depth);
        galaxy->leaf[i] = leaf;
        (void)sl_atomic_add_u32(&galaxy->ranges[leaf].count, 1);
    }
}

/* From the leaves up to the root's children, and down again. */
static inline void place_cells(struct sl_device_barrier *barrier, const struct galaxy *galaxy)
{
    for (uint32_t level = galaxy->depth; level-- > 1;) {
        const uint32_t cells = first_of_level(level);
        for (uint32_t i = sl_global_id(0); i < cells; i += sl_grid_size(0)) {
            count_children(galaxy, cells + i);
        }
        sl_device_barrier(barrier);
    }
    for (uint32_t level = 0; level < galaxy->depth; level++) {
        const uint32_t cells = first_of_level(level);
        for (uint32_t i = sl_global_id(0); i < cells; i += sl_grid_size(0)) {
            place_children(galaxy, cells + i, level);
        }
        sl_device_barrier(barrier);
    }
}

/* Wavefronts take places in the order in which they come; leaves are sorted after that. */
static inline void sort_bodies(const struct galaxy *galaxy)
{
    for (uint32_t i = sl_global_id(0); i < galaxy->n; i += sl_grid_size(0)) {
        struct range *const leaf = &galaxy->ranges[galaxy->leaf[i]];
        const uint32_t place = leaf->first + sl_atomic_add_u32(&leaf->taken, 1);
        galaxy->nodes[first_body(galaxy) + place].order = i;
    }
}

static inline void weigh_cells(struct sl_device_barrier *barrier, const struct galaxy *galaxy)
{
    const uint32_t leaves = first_of_level(galaxy->depth);

    for (uint32_t i = sl_global_id(0); i < leaves; i += sl_grid_size(0)) {
        fill_leaf(galaxy, leaves + i);
    }
    sl_device_barrier(barrier);
    for (uint32_t level = galaxy->depth; level-- > 0;) {
        const uint32_t cells = first_of_level(level);
        for (uint32_t i = sl_global_id(0); i < cells; i += sl_grid_size(0)) {
            weigh_children(galaxy, cells + i);
        }
        sl_device_barrier(barrier);
    }
}

/* In the order of the leaves, so that lanes of a wavefront walk through the same cells. */
static inline void accelerate(const struct galaxy *galaxy)
{
    const struct node *const bodies = galaxy->nodes + first_body(galaxy);

    for (uint32_t i = sl_global_id(0); i < galaxy->n; i += sl_grid_size(0)) {
        const struct node node = bodies[i];
        galaxy->acceleration[node.order] = acceleration_at(galaxy, &node.body, square_root);
    }
}

static inline void advance_bodies(const struct galaxy *galaxy)
{
    for (uint32_t i = sl_global_id(0); i < galaxy->n; i += sl_grid_size(0)) {
        advance(&galaxy->bodies[i], &galaxy->velocity[i], &galaxy->acceleration[i]);
    }
}

SL_KERNEL void barnes_hut_steps(struct sl_device_barrier *barrier, const struct galaxy *galaxy)
{
    for (uint32_t step = 0; step < galaxy->steps; step++) {
        measure(galaxy, &galaxy->extent[step]);
        sl_device_barrier(barrier);
        const float extent = extent_of(galaxy->extent[step]);
        count_bodies(galaxy, extent);
        sl_device_barrier(barrier);
        place_cells(barrier, galaxy);
        sort_bodies(galaxy);
        sl_device_barrier(barrier);
        weigh_cells(barrier, galaxy);
        accelerate(galaxy);
        sl_device_barrier(barrier);
        advance_bodies(galaxy);
        sl_device_barrier(barrier);
    }
}
