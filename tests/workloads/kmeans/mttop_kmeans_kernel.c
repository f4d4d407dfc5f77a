/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of mttop_kmeans.c. A round is three steps: points find the nearest centre, wavefronts
 * add up the points of each cluster, centres move. */
#include "sluice/wave/device_barrier.h"
#include "sluice/wave/wave.h"
#include "workloads/kmeans/mttop_kmeans.h"

static inline uint32_t nearest_centre(const struct clustering *all, uint32_t point)
{
    const float *centre = all->centres;
    float least = __builtin_inff();
    uint32_t nearest = 0;

    for (uint32_t c = 0; c < all->clusters; c++) {
        const float *feature = all->points + point;
        float distance = 0;
        for (const float *const end = centre + all->features; centre < end; centre++) {
            const float apart = *feature - *centre;
            distance = __builtin_fmaf(apart, apart, distance);
            feature += all->n;
        }
        nearest = distance < least ? c : nearest;
        least = distance < least ? distance : least;
    }
    return nearest;
}

static inline void assign(const struct clustering *all, const struct round *round)
{
    uint32_t moved = 0;

    for (uint32_t point = sl_global_id(0); point < all->n; point += sl_grid_size(0)) {
        const uint32_t nearest = nearest_centre(all, point);
        moved += all->membership[point] != nearest;
        all->membership[point] = nearest;
    }
    const uint64_t in_all = sl_reduce_add(moved);
    if (sl_elect() && in_all > 0) {
        (void)sl_atomic_add_u32(round->moved, (uint32_t)in_all);
    }
}

/* Adds up a feature of a cluster's points, every `stride`th from `first` on. The work-items of the
 * first feature count the points, too. */
static inline void add_up(const struct clustering *all, const struct round *round, uint32_t feature,
                          uint32_t cluster, uint32_t first, uint32_t stride)
{
    const float *const coordinates = all->points + (uint64_t)feature * all->n;
    float sum = 0;
    uint32_t count = 0;

    for (uint32_t i = first; i < all->n; i += stride) {
        if (all->membership[i] == cluster) {
            sum += coordinates[i];
            count++;
        }
    }
    sl_atomic_accumulate_f32(&round->sums[cluster * all->features + feature], sum);
    if (feature == 0) {
        (void)sl_atomic_add_u32(&round->counts[cluster], count);
    }
}

/* Each wavefront has a feature and a part of the points, or, where there are fewer wavefronts than
 * features, one feature after the other and all points. */
static inline void accumulate(const struct clustering *all, const struct round *round)
{
    const uint32_t lanes = sl_lane_count(), wavefronts = sl_grid_size(0) / lanes;
    const uint32_t parts = wavefronts < all->features ? 1 : wavefronts / all->features;
    const uint32_t tasks = parts * all->features;

    for (uint32_t task = sl_global_id(0) / lanes; task < tasks; task += wavefronts) {
        const uint32_t part = task / all->features, feature = task - part * all->features;
        for (uint32_t cluster = 0; cluster < all->clusters; cluster++) {
            add_up(all, round, feature, cluster, part * lanes + sl_lane_id(), parts * lanes);
        }
    }
}

/* Centres without points stay where they are. Clears what the next round adds up. */
static inline void move(const struct clustering *all, const struct round *round,
                        const struct round *next)
{
    const uint32_t coordinates = all->clusters * all->features;

    for (uint32_t i = sl_global_id(0); i < coordinates; i += sl_grid_size(0)) {
        const uint32_t cluster = i / all->features, count = round->counts[cluster];
        if (count > 0) {
            all->centres[i] = round->sums[i] / (float)count;
        }
        next->sums[i] = 0;
        if (i == cluster * all->features) {
            next->counts[cluster] = 0;
        }
    }
    if (sl_global_id(0) == 0) {
        *next->moved = 0;
    }
}

SL_KERNEL void kmeans_rounds(struct sl_device_barrier *barrier, struct clustering *all)
{
    uint32_t made = 0, moved;

    do {
        const struct round *const round = &all->turns[made % 2];
        assign(all, round);
        sl_device_barrier(barrier);
        accumulate(all, round);
        sl_device_barrier(barrier);
        move(all, round, &all->turns[(made + 1) % 2]);
        sl_device_barrier(barrier);
        moved = sl_load_relaxed_u32_device(round->moved);
        made++;
    } while (moved > 0 && made < all->rounds);
    if (sl_global_id(0) == 0) {
        all->made = made;
    }
}
