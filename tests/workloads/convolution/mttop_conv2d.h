/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of mttop_conv2d.c share: the size of the filter, and the order in
 * which a pixel is added up. Images have a border of zeros, as wide as the filter reaches. */
#ifndef SLUICE_WORKLOADS_CONVOLUTION_MTTOP_CONV2D_H
#define SLUICE_WORKLOADS_CONVOLUTION_MTTOP_CONV2D_H

#include <stdint.h>

#define REACH 2 /* of the filter, to each side of a pixel */
#define SIDE  (2 * REACH + 1)

/* A filter by the pixels around one, of which `pixel` is the first; rows of the image are `pitch`
 * apart. */
static inline float convolved(const float *filter, const float *pixel, uint32_t pitch)
{
    float sum = 0;

    for (const float *const end = filter + SIDE * SIDE; filter < end; filter += SIDE) {
        sum = __builtin_fmaf(filter[0], pixel[0], sum);
        sum = __builtin_fmaf(filter[1], pixel[1], sum);
        sum = __builtin_fmaf(filter[2], pixel[2], sum);
        sum = __builtin_fmaf(filter[3], pixel[3], sum);
        sum = __builtin_fmaf(filter[4], pixel[4], sum);
        pixel += pitch;
    }
    return sum;
}

#endif
