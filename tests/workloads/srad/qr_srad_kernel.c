/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of qr_srad.c: two that add up the image, and two that change it, a work-item for each
 * pixel. Pixels at the edge are neighbours of themselves. */
#include "sluice/wave/wave.h"
#include "workloads/srad/qr_srad.h"

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
SL_KERNEL void srad_sums(const float *image, struct noise *noise, uint32_t pixels)
{
    const uint32_t item = sl_local_id(0);
    float sum = 0, square = 0;

    for (uint32_t i = sl_global_id(0); i < pixels; i += SUM_GROUPS * GROUP) {
        const float pixel = image[i];
        sum += pixel;
        square = __builtin_fmaf(pixel, pixel, square);
    }
    sums[item] = sum;
    squares[item] = square;
    add_up(item, GROUP);
    if (item == 0) {
        noise->sum[sl_group_id(0)] = sums[0];
        noise->squares[sl_group_id(0)] = squares[0];
    }
}

/* The sum of the parts, and what follows of it. One work-group, an item for each part. */
SL_KERNEL void srad_speckle(struct noise *noise, uint32_t pixels)
{
    const uint32_t item = sl_local_id(0);

    sums[item] = noise->sum[item];
    squares[item] = noise->squares[item];
    add_up(item, SUM_GROUPS);
    if (item == 0) {
        noise->speckle = speckle_of(sums[0], squares[0], pixels);
    }
}

/* Differences to the neighbours, and the coefficient of diffusion. */
SL_KERNEL void srad_coefficients(const float *image, float *coefficients, float *norths,
                                 float *souths, float *wests, float *easts,
                                 const struct noise *noise, uint32_t n)
{
    const uint32_t i = sl_global_id(0), row = i / n, column = i % n;
    const float pixel = image[i];
    const float north = image[row > 0 ? i - n : i] - pixel;
    const float south = image[row + 1 < n ? i + n : i] - pixel;
    const float west = image[column > 0 ? i - 1 : i] - pixel;
    const float east = image[column + 1 < n ? i + 1 : i] - pixel;

    norths[i] = north;
    souths[i] = south;
    wests[i] = west;
    easts[i] = east;
    coefficients[i] = coefficient_of(pixel, north, south, west, east, noise->speckle);
}

/* The image after the iteration. */
SL_KERNEL void srad_update(float *image, const float *coefficients, const float *norths,
                           const float *souths, const float *wests, const float *easts, uint32_t n)
{
    const uint32_t i = sl_global_id(0);
    const float difference[SIDES] = {norths[i], souths[i], wests[i], easts[i]};
    const float south = coefficients[i / n + 1 < n ? i + n : i];
    const float east = coefficients[i % n + 1 < n ? i + 1 : i];

    image[i] = pixel_after(image[i], difference, coefficients[i], south, east);
}
