/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Points of Fourier transforms, and the steps that kernels make of them: decimation in time, radix
 * 2. */
#ifndef SLUICE_WORKLOADS_COMMON_POINT_H
#define SLUICE_WORKLOADS_COMMON_POINT_H

#include <stdint.h>

struct point {
    float real;
    float imaginary;
};

/* Joins two points, of which the second is turned by a twiddle factor. */
static inline void point_butterfly(struct point *low, struct point *high, struct point twiddle)
{
    const struct point a = *low, b = *high;
    const struct point turned = {
        b.real * twiddle.real - b.imaginary * twiddle.imaginary,
        b.real * twiddle.imaginary + b.imaginary * twiddle.real,
    };
    *low = (struct point){a.real + turned.real, a.imaginary + turned.imaginary};
    *high = (struct point){a.real - turned.real, a.imaginary - turned.imaginary};
}

/* The lowest `bits` bits, at least one, the other way round. */
static inline uint32_t point_reversed(uint32_t value, uint32_t bits)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < bits; i++) {
        result = result << 1 | (value >> i & 1);
    }
    return result;
}

#endif
