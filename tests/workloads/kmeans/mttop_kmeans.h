/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of mttop_kmeans.c share. */
#ifndef SLUICE_WORKLOADS_KMEANS_MTTOP_KMEANS_H
#define SLUICE_WORKLOADS_KMEANS_MTTOP_KMEANS_H

#include <stdint.h>

#define N_MAX 131072

/* Coordinates are multiples of this, from -1 to 1. So each sum of some of N_MAX of them is a float,
 * and in whatever order work-items add up, it comes out the same. */
#define QUANTUM 0x1p-7f

/* What a round adds up. Two take turns: while one is in use, nobody but who clears it touches the
 * other one. */
struct round {
    float *sums;      /* as centres */
    uint32_t *counts; /* points of each cluster */
    uint32_t *moved;  /* a word: points that changed their cluster */
};

struct clustering {
    float *points;        /* the points of a feature side by side */
    float *centres;       /* the features of a cluster side by side */
    uint32_t *membership; /* the cluster of each point */
    struct round turns[2];
    uint32_t n;
    uint32_t features;
    uint32_t clusters;
    uint32_t rounds; /* at most */
    uint32_t made;   /* rounds in the end */
};

#endif
