/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of hybrid_gridding.c share: samples and how far they reach. */
#ifndef SLUICE_WORKLOADS_GRIDDING_SAMPLES_H
#define SLUICE_WORKLOADS_GRIDDING_SAMPLES_H

#include <stdint.h>

/* A sample of k-space, as it is measured. Places are in points of the grid, from 0 up to, but not
 * with, its width. */
struct sample {
    float x;
    float y;
    float z;
    float real;
    float imaginary;
    float compensation; /* for the density of samples here */
};

/* A sample in the order of cells, with its value times its compensation. */
struct ordered {
    float x;
    float y;
    float z;
    float real;
    float imaginary;
};

/* Points that a wavefront of 32 lanes has, and those of a work-group: 1 x 2 x 2 of these. */
#define TILE_X         8
#define TILE_Y         2
#define TILE_Z         2
#define TILE_ITEMS     32
#define GROUP_TILES_Y  2
#define GROUP_TILES_Z  2
#define GRIDDING_GROUP (TILE_ITEMS * GROUP_TILES_Y * GROUP_TILES_Z)

/* A sample counts for the points that are nearer than 1. Its weight there is the Kaiser-Bessel
 * window I0(4 sqrt(t)), with t = 1 - the square of the distance, which is a power series: the sum
 * of t^k 4^k / k!^2. Kernels take eight terms, which is right to 4e-6. */
#define WINDOW_QUARTER_SQUARE 4.0f
#define WINDOW_TERMS          8

/* Both sides decide by the same bits whether a point is near enough: multiply-adds are fused where
 * the text says so, and nowhere else. */
static inline float distance_square(float x, float y, float z)
{
    const float z_square = z * z;
    return __builtin_fmaf(x, x, __builtin_fmaf(y, y, z_square));
}

#endif
