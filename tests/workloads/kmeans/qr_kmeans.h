/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of qr_kmeans.c share. */
#ifndef SLUICE_WORKLOADS_KMEANS_QR_KMEANS_H
#define SLUICE_WORKLOADS_KMEANS_QR_KMEANS_H

#include <stdint.h>

#define GROUP 256 /* work-items; a power of two: those of a cluster's centre add up as a tree */

/* Of the part that repeats. */
struct rounds {
    uint32_t left;
    uint32_t moved; /* points that changed their cluster in this one */
    uint32_t is_unfinished;
};

#endif
