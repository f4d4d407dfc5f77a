/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What programs that find clusters can be asked for, and the nearest centre of each point. */
#include "workloads/common/clusters.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#define CLUSTERS_DEFAULT 5

const struct sl_argument clusters_table[] = {
    {"features", 'f', SL_NUMBER, 1, 64, SL_INTO(struct clusters_choice, features),
     "Coordinates of a point"},
    {"clusters", 'k', SL_NUMBER, 1, 64, SL_INTO(struct clusters_choice, clusters),
     "Clusters, N at most (default 5, or N)"},
    {"rounds", 'r', SL_NUMBER, 1, 1000, SL_INTO(struct clusters_choice, rounds), "Rounds at most"},
    {0},
};

void clusters_check(void *choice)
{
    struct clusters_choice *const asked = choice;

    if (asked->clusters > asked->n) {
        sl_argument_fail("--clusters: %" PRIu32 " are more than the %" PRIu32 " points",
                         asked->clusters, asked->n);
    }
    if (asked->clusters == 0) {
        asked->clusters = asked->n < CLUSTERS_DEFAULT ? asked->n : CLUSTERS_DEFAULT;
    }
}

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
