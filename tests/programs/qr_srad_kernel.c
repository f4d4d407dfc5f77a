/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_srad.c: two that add up the image, and two that change it, a work-item for each
 * pixel. Pixels at the edge are neighbours of themselves. */
#include "programs/qr_srad.h"
#include "wave/sluice_wave.h"

static SL_LDS float sums[GROUP];
static SL_LDS float squares[GROUP];

/* Adds up `count` of both, a power of two; the sums are in 0. */
static inline __attribute__((always_inline)) void add_up(uint32_t item, uint32_t count)
{
    sl_barrier();
    for (uint32_t stride = count / 2; stride > 0; stride /= 2) {
        if (item < stride) {
            sums[item] += sums[item + stride];
            squares[item] += squares[item + stride];
        }
        sl_barrier();
    }
}

/* A part of the sums for each work-group. */
SL_KERNEL void srad_sums(struct srad *srad)
{
    const uint32_t item = sl_local_id(0), pixels = srad->n * srad->n;
    float sum = 0, square = 0;

    for (uint32_t i = sl_global_id(0); i < pixels; i += SUM_GROUPS * GROUP) {
        const float pixel = srad->image[i];
        sum += pixel;
        square = __builtin_fmaf(pixel, pixel, square);
    }
    sums[item] = sum;
    squares[item] = square;
    add_up(item, GROUP);
    if (item == 0) {
        srad->sum[sl_group_id(0)] = sums[0];
        srad->squares[sl_group_id(0)] = squares[0];
    }
}

/* The sum of the parts, and what follows of it. One work-group, an item for each part. */
SL_KERNEL void srad_speckle(struct srad *srad)
{
    const uint32_t item = sl_local_id(0);

    sums[item] = srad->sum[item];
    squares[item] = srad->squares[item];
    add_up(item, SUM_GROUPS);
    if (item == 0) {
        srad->speckle = speckle_of(sums[0], squares[0], srad->n * srad->n);
    }
}

/* Differences to the neighbours, and the coefficient of diffusion. */
SL_KERNEL void srad_coefficients(const struct srad *srad)
{
    const uint32_t i = sl_global_id(0), n = srad->n;
    const uint32_t row = i / n, column = i % n;
    const float *const image = srad->image;
    const float pixel = image[i];
    const float north = image[row > 0 ? i - n : i] - pixel;
    const float south = image[row + 1 < n ? i + n : i] - pixel;
    const float west = image[column > 0 ? i - 1 : i] - pixel;
    const float east = image[column + 1 < n ? i + 1 : i] - pixel;

    srad->difference[NORTH][i] = north;
    srad->difference[SOUTH][i] = south;
    srad->difference[WEST][i] = west;
    srad->difference[EAST][i] = east;
    srad->coefficient[i] = coefficient_of(pixel, north, south, west, east, srad->speckle);
}

/* The image after the iteration. */
SL_KERNEL void srad_update(const struct srad *srad)
{
    const uint32_t i = sl_global_id(0), n = srad->n;
    const float *const coefficient = srad->coefficient;
    const float south = coefficient[i / n + 1 < n ? i + n : i];
    const float east = coefficient[i % n + 1 < n ? i + 1 : i];
    float difference[SIDES];

#pragma GCC unroll 4
    for (unsigned side = 0; side < SIDES; side++) {
        difference[side] = srad->difference[side][i];
    }
    srad->image[i] =
        pixel_after(srad->image[i], difference, coefficient[i], south, east, srad->rate);
}
