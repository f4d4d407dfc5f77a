/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Clusters of points, in plain C. */
#ifndef SLUICE_WORKLOADS_COMMON_CLUSTERS_H
#define SLUICE_WORKLOADS_COMMON_CLUSTERS_H

#include <stdint.h>

#include "sluice/argument.h"

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

/* --features, --clusters and --rounds: rows of a program's table, of which a struct clusters_choice
 * is a field. */
extern const struct sl_argument clusters_table[];

/* sl_app.check() of programs whose arguments begin with a struct clusters_choice. */
void clusters_check(void *choice);

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
