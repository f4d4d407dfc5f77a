/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_kmeans.c. */
#include "programs/qr_kmeans.h"
#include "wave/sluice_wave.h"

/* Turns the features round, a point for each work-item: so what a wavefront loads later lies side
 * by side. */
SL_KERNEL void kmeans_transpose(const struct clustering *all)
{
    const uint32_t point = sl_global_id(0);
    const float *const given = all->given + (uint64_t)point * all->features;

    for (uint32_t f = 0; f < all->features; f++) {
        all->feature[(uint64_t)f * all->points + point] = given[f];
    }
}

/* The cluster whose centre is nearest, a point for each work-item. */
SL_KERNEL void kmeans_assign(struct clustering *all)
{
    const uint32_t point = sl_global_id(0), features = all->features;
    const float *centre = all->centre;
    float least = __builtin_inff();
    uint32_t nearest = 0;

    for (uint32_t c = 0; c < all->clusters; c++) {
        const float *feature = all->feature + point;
        float distance = 0;
        for (const float *const end = centre + features; centre < end; centre++) {
            const float apart = *feature - *centre;
            distance = __builtin_fmaf(apart, apart, distance);
            feature += all->points;
        }
        nearest = distance < least ? c : nearest;
        least = distance < least ? distance : least;
    }
    const uint64_t moved = sl_reduce_add(all->membership[point] != nearest);
    all->membership[point] = nearest;
    if (sl_elect() && moved > 0) {
        (void)sl_atomic_add_u32(&all->moved, (uint32_t)moved);
    }
}

/* A feature of a cluster's new centre, the mean of its points', in each work-group: work-items add
 * up their shares of the points, then a tree the sums, so that the order is always the same. A
 * cluster without points stays where it is. */
SL_KERNEL void kmeans_centres(const struct clustering *all)
{
    static SL_LDS float sums[GROUP];
    static SL_LDS uint32_t counts[GROUP];
    const uint32_t item = sl_local_id(0), group = sl_group_id(0);
    const uint32_t cluster = group / all->features;
    const float *const feature = all->feature + (uint64_t)(group % all->features) * all->points;
    float sum = 0;
    uint32_t count = 0;

    for (uint32_t i = item; i < all->points; i += GROUP) {
        if (all->membership[i] == cluster) {
            sum += feature[i];
            count++;
        }
    }
    sums[item] = sum;
    counts[item] = count;
    sl_barrier();
    for (uint32_t stride = GROUP / 2; stride > 0; stride /= 2) {
        if (item < stride) {
            sums[item] += sums[item + stride];
            counts[item] += counts[item + stride];
        }
        sl_barrier();
    }
    if (item == 0 && counts[0] > 0) {
        all->centre[group] = sums[0] / (float)counts[0];
    }
}

/* Whether there is another round. One work-item. */
SL_KERNEL void kmeans_decide(struct clustering *all)
{
    all->rounds--;
    all->is_unfinished = all->rounds > 0 && all->moved > 0;
    all->moved = 0;
}
