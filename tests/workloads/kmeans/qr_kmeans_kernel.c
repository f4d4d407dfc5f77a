/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_kmeans.c. Features are given a point after the other, and kept a feature after
 * the other; centres have the features of a cluster side by side. */
#include "sluice/wave/wave.h"
#include "workloads/kmeans/qr_kmeans.h"

/* Turns the features round, a point for each work-item: so what a wavefront loads later lies side
 * by side. */
SL_KERNEL void kmeans_transpose(const float *given, float *features, uint32_t points,
                                uint32_t feature_count)
{
    const uint32_t point = sl_global_id(0);

    given += (uint64_t)point * feature_count;
    for (uint32_t f = 0; f < feature_count; f++) {
        features[(uint64_t)f * points + point] = given[f];
    }
}

/* The cluster whose centre is nearest, a point for each work-item. */
SL_KERNEL void kmeans_assign(const float *features, const float *centre, uint32_t *membership,
                             uint32_t points, uint32_t feature_count, uint32_t clusters,
                             struct rounds *rounds)
{
    const uint32_t point = sl_global_id(0);
    float least = __builtin_inff();
    uint32_t nearest = 0;

    for (uint32_t c = 0; c < clusters; c++) {
        const float *feature = features + point;
        float distance = 0;
        for (const float *const end = centre + feature_count; centre < end; centre++) {
            const float apart = *feature - *centre;
            distance = __builtin_fmaf(apart, apart, distance);
            feature += points;
        }
        nearest = distance < least ? c : nearest;
        least = distance < least ? distance : least;
    }
    const uint64_t moved = sl_reduce_add(membership[point] != nearest);
    membership[point] = nearest;
    if (sl_elect() && moved > 0) {
        (void)sl_atomic_add_u32(&rounds->moved, (uint32_t)moved);
    }
}

/* A feature of a cluster's new centre, the mean of its points', in each work-group: work-items add
 * up their shares of the points, then a tree the sums, so that the order is always the same. A
 * cluster without points stays where it is. */
SL_KERNEL void kmeans_centres(const float *features, float *centre, const uint32_t *membership,
                              uint32_t points, uint32_t feature_count)
{
    static SL_LDS float sums[GROUP];
    static SL_LDS uint32_t counts[GROUP];
    const uint32_t item = sl_local_id(0), group = sl_group_id(0);
    const uint32_t cluster = group / feature_count;
    const float *const feature = features + (uint64_t)(group % feature_count) * points;
    float sum = 0;
    uint32_t count = 0;

    for (uint32_t i = item; i < points; i += GROUP) {
        if (membership[i] == cluster) {
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
        centre[group] = sums[0] / (float)counts[0];
    }
}

/* Whether there is another round. One work-item. */
SL_KERNEL void kmeans_decide(struct rounds *rounds)
{
    rounds->left--;
    rounds->is_unfinished = rounds->left > 0 && rounds->moved > 0;
    rounds->moved = 0;
}
