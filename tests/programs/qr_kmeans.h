/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of qr_kmeans.c share. */
#ifndef SLUICE_PROGRAMS_QR_KMEANS_H
#define SLUICE_PROGRAMS_QR_KMEANS_H

#include <stdint.h>

#define GROUP 256 /* work-items; a power of two: those of a cluster's centre add up as a tree */

struct clustering {
    uint32_t points;
    uint32_t features;
    uint32_t clusters;
    const float *given;   /* the features of a point side by side */
    float *feature;       /* the points of a feature side by side */
    float *centre;        /* the features of a cluster side by side */
    uint32_t *membership; /* the cluster of each point */
    uint32_t rounds;      /* that are left */
    uint32_t moved;       /* points that changed their cluster in this one */
    uint32_t is_unfinished;
};

#endif
