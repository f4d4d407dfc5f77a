/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of qr_srad.c share: how much noise an image has, and the arithmetic
 * of a pixel. Multiply-adds are fused where the text says so, and nowhere else, so that
 * both sides round alike. */
#ifndef SLUICE_WORKLOADS_SRAD_QR_SRAD_H
#define SLUICE_WORKLOADS_SRAD_QR_SRAD_H

#include <stdint.h>

#define RATE       0.5f /* of each iteration */
#define GROUP      256  /* work-items */
#define SUM_GROUPS 32   /* work-groups that add up; both are powers of two: trees add */

enum side { NORTH, SOUTH, WEST, EAST, SIDES };

struct noise {
    float sum[SUM_GROUPS];     /* of the pixels, and */
    float squares[SUM_GROUPS]; /* of their squares: a part for each work-group */
    float speckle;             /* the square of the relative deviation */
};

static inline float speckle_of(float sum, float squares, uint32_t pixels)
{
    const float mean = sum / (float)pixels;
    return __builtin_fmaf(-mean, mean, squares / (float)pixels) / (mean * mean);
}

/* Near 1 where a pixel differs from its neighbours as noise does, near 0 at edges. */
static inline float coefficient_of(float pixel, float north, float south, float west, float east,
                                   float speckle)
{
    float squares = __builtin_fmaf(south, south, north * north);
    squares = __builtin_fmaf(west, west, squares);
    squares = __builtin_fmaf(east, east, squares) / (pixel * pixel);
    const float laplace = (north + south + west + east) / pixel;
    const float above = __builtin_fmaf(0.5f, squares, -0.0625f * laplace * laplace);
    const float below = __builtin_fmaf(0.25f, laplace, 1);
    const float variation = above / (below * below);
    const float excess = (variation - speckle) / __builtin_fmaf(speckle, speckle, speckle);
    const float coefficient = 1 / (1 + excess);
    return coefficient < 0 ? 0 : coefficient > 1 ? 1 : coefficient;
}

/* A pixel after an iteration, of the differences to its neighbours and coefficients of diffusion:
 * its own, for north and west, too, and those of the neighbours in the south and the east. */
static inline float pixel_after(float pixel, const float difference[SIDES], float own, float south,
                                float east)
{
    float flown = own * difference[NORTH];
    flown = __builtin_fmaf(south, difference[SOUTH], flown);
    flown = __builtin_fmaf(own, difference[WEST], flown);
    flown = __builtin_fmaf(east, difference[EAST], flown);
    return __builtin_fmaf(0.25f * RATE, flown, pixel);
}

#endif
