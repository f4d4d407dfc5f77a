/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What programs that find clusters can be asked for, and the nearest centre of each point. */
#include "workloads/common/clusters.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "sluice/program.h"

#define FEATURES_MAX     64
#define CLUSTERS_DEFAULT 5
#define CLUSTERS_MAX     64
#define ROUNDS_MAX       1000

static uint32_t number(const struct argp_state *state, const char *what, const char *text,
                       uint32_t most)
{
    return (uint32_t)sl_app_number(state, what, text, 1, most);
}

error_t clusters_parse(int key, const char *argument, const struct argp_state *state, uint32_t most,
                       struct clusters_choice *choice)
{
    switch (key) {
    case 'f':
        choice->features = number(state, "--features", argument, FEATURES_MAX);
        return 0;
    case 'k':
        choice->clusters = number(state, "--clusters", argument, CLUSTERS_MAX);
        return 0;
    case 'r':
        choice->rounds = number(state, "--rounds", argument, ROUNDS_MAX);
        return 0;
    case ARGP_KEY_END:
        if (choice->clusters > choice->n) {
            argp_error(state, "--clusters: %" PRIu32 " are more than the %" PRIu32 " points",
                       choice->clusters, choice->n);
        }
        if (choice->clusters == 0) {
            choice->clusters = choice->n < CLUSTERS_DEFAULT ? choice->n : CLUSTERS_DEFAULT;
        }
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, most, &choice->n);
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
