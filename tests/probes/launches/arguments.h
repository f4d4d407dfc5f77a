/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What arguments.c and its kernels share. */
#ifndef SLUICE_PROBES_LAUNCHES_ARGUMENTS_H
#define SLUICE_PROBES_LAUNCHES_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct mixed {
    double sum; /* of all that is a number */
    uint32_t large;
    int8_t small;
    uint16_t half;
    bool truth;
};

static inline struct mixed mixed_of(float a, int8_t b, double c, uint16_t d, bool e, float f,
                                    uint32_t g)
{
    const struct mixed mixed = {(double)a + b + c * f + d + g, g > 5 ? g / 3 : 1, b, d, e};
    return mixed;
}

/* A part of what a lane adds up. */
static inline uint64_t weighted(uint32_t left, float factor, double offset)
{
    return (uint64_t)((double)(factor * (float)left) + offset);
}

#endif
