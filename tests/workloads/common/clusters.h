/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Clusters of points, in plain C. */
#ifndef SLUICE_WORKLOADS_COMMON_CLUSTERS_H
#define SLUICE_WORKLOADS_COMMON_CLUSTERS_H

#include <argp.h>
#include <stdint.h>

/* What programs can be asked for. */
struct clusters_choice {
    uint32_t n;        /* points */
    uint32_t features; /* coordinates of a point */
    uint32_t clusters; /* 0: 5, or N where that is less */
    uint32_t rounds;   /* at most */
};

#define CLUSTERS_CHOICE(default_n)                                                                 \
    {                                                                                              \
        .n = (default_n), .features = 16, .rounds = 4                                              \
    }

/* Lines of an argp option table, of keys 'f', 'k' and 'r'. */
#define CLUSTERS_OPTIONS                                                                           \
    {"features", 'f', "NUMBER", 0, "Coordinates of a point, 1 to 64 (default 16)", 0},             \
        {"clusters", 'k', "NUMBER", 0, "Clusters, 1 to 64 and N (default 5, or N)", 0},            \
    {                                                                                              \
        "rounds", 'r', "NUMBER", 0, "Rounds at most, 1 to 1000 (default 4)", 0                     \
    }

/* The end of a parser whose table has these lines, and whose program has one argument, N, which is
 * at most `most`. */
error_t clusters_parse(int key, const char *argument, const struct argp_state *state, uint32_t most,
                       struct clusters_choice *choice);

struct clusters {
    const float *points; /* the features of a point side by side */
    uint32_t n;          /* points */
    uint32_t features;
    uint32_t clusters;
};

/* Gives each point to the cluster whose centre is nearest, the first of equally near ones: the
 * squared distance is added up by fused multiply-adds, from the first feature to the last. Returns
 * how many points changed their cluster. */
uint32_t clusters_assign(const struct clusters *clusters, const float *centre,
                         uint32_t *membership);

#endif
