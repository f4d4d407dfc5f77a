/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The nearest centre of each point. */
#include "programs/common/clusters.h"

#include <math.h>
#include <stddef.h>

static float squared_distance(const float *point, const float *centre, uint32_t features)
{
    float distance = 0;

    for (uint32_t f = 0; f < features; f++) {
        const float apart = point[f] - centre[f];
        distance = fmaf(apart, apart, distance);
    }
    return distance;
}

uint32_t clusters_assign(const struct clusters *clusters, const float *centre, uint32_t *membership)
{
    const size_t features = clusters->features;
    uint32_t moved = 0;

    for (uint32_t i = 0; i < clusters->n; i++) {
        float least = INFINITY;
        uint32_t nearest = 0;
        for (uint32_t c = 0; c < clusters->clusters; c++) {
            const float distance = squared_distance(clusters->points + i * features,
                                                    centre + c * features, clusters->features);
            if (distance < least) {
                least = distance;
                nearest = c;
            }
        }
        moved += membership[i] != nearest;
        membership[i] = nearest;
    }
    return moved;
}
