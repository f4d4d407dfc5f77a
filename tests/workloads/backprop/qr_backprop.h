/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of qr_backprop.c share: a network of N inputs, 16 hidden units and
 * an output, and the arithmetic of its units. Sums and products are fused where the text says so,
 * and nowhere else, so that both sides round alike. */
#ifndef SLUICE_WORKLOADS_BACKPROP_QR_BACKPROP_H
#define SLUICE_WORKLOADS_BACKPROP_QR_BACKPROP_H

#include <math.h>
#include <stdint.h>

#define HIDDEN   16           /* units, and the side of a work-group */
#define PITCH    (HIDDEN + 1) /* of the weights to them: of each input, and of a bias before them */
#define TARGET   0.1f         /* that the output is to have */
#define RATE     0.3f
#define MOMENTUM 0.3f

/* What is not for each input. Unit 0 is the bias, which is 1. */
struct units {
    float hidden[PITCH];
    float delta[PITCH];      /* of the hidden units */
    float out[PITCH];        /* weights to the output */
    float out_change[PITCH]; /* of these, the last time */
    float output;
};

/* From all numbers to (0, 1): a logistic function made of a quotient, x / (1 + |x|), in place of
 * one of an exponential, so that it is the same everywhere to the last bit. */
static inline float squash(float x)
{
    return __builtin_fmaf(0.5f, x / (1 + __builtin_fabsf(x)), 0.5f);
}

/* Its derivative where it is y. */
static inline float slope(float y)
{
    const float left = 1 - __builtin_fabsf(__builtin_fmaf(2, y, -1));
    return 0.5f * left * left;
}

/* How much a weight changes between a unit of this value and one with this delta. */
static inline float change_of(float delta, float value, float before)
{
    return __builtin_fmaf(RATE * delta, value, MOMENTUM * before);
}

#endif
