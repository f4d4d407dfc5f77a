/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Clusters of points, in plain C. */
#ifndef SLUICE_PROGRAMS_CLUSTERS_H
#define SLUICE_PROGRAMS_CLUSTERS_H

#include <stdint.h>

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
