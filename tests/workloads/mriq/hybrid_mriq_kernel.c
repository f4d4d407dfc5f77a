/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of hybrid_mriq.c: a work-item for each sample, and one for each voxel, whose result
 * and place stay in registers while it goes through the samples of a block, which all work-items
 * load. */
#include "sluice/wave/wave.h"
#include "workloads/mriq/hybrid_mriq.h"

/* A number of turns, below 2^22, without the whole ones: from -1/2 to 1/2. What is added, and
 * taken away again, leaves no bits for a fraction. */
static inline float fraction(float turns)
{
    const float whole = turns + 0x1.8p23f - 0x1.8p23f;

    return turns - whole;
}

/* Adds a magnitude, turned by so many turns. Sine and cosine of half the angle, from -1/2 to 1/2
 * times pi, are polynomials that are off by 6e-7 and 5e-8 at most (fitted for the least largest
 * error), those of the angle follow from them. */
static inline void add_turned(float magnitude, float turns, float *real, float *imaginary)
{
    const float square = turns * turns;
    float sine = -0.55463624f, cosine = 0.219696802f;

    sine = __builtin_fmaf(sine, square, 2.54189903f);
    sine = __builtin_fmaf(sine, square, -5.16714280f);
    sine = __builtin_fmaf(sine, square, 3.14158202f) * turns;
    cosine = __builtin_fmaf(cosine, square, -1.33188016f);
    cosine = __builtin_fmaf(cosine, square, 4.05841191f);
    cosine = __builtin_fmaf(cosine, square, -4.93479286f);
    cosine = __builtin_fmaf(cosine, square, 0.999999953f);
    const float twice = sine + sine;
    *real = __builtin_fmaf(magnitude, __builtin_fmaf(-twice, sine, 1), *real);
    *imaginary = __builtin_fmaf(magnitude, twice * cosine, *imaginary);
}

SL_KERNEL void mriq_magnitudes(const float *real, const float *imaginary, struct mriq_block *blocks)
{
    const uint32_t sample = sl_global_id(0);
    const float a = real[sample], b = imaginary[sample];

    blocks[sample / MRIQ_BLOCK].magnitude[sample % MRIQ_BLOCK] = __builtin_fmaf(a, a, b * b);
}

/* Adds the samples of a block to all voxels. */
SL_KERNEL void mriq_add(const struct mriq_block *block, uint64_t samples,
                        const struct mriq_image *image)
{
    const uint64_t voxel = sl_global_id(0);
    const float x = image->x[voxel], y = image->y[voxel], z = image->z[voxel];
    float real = image->real[voxel], imaginary = image->imaginary[voxel];

    for (uint64_t i = 0; i < samples; i++) {
        float turns = block->x[i] * x;
        turns = __builtin_fmaf(block->y[i], y, turns);
        turns = __builtin_fmaf(block->z[i], z, turns);
        add_turned(block->magnitude[i], fraction(turns), &real, &imaginary);
    }
    image->real[voxel] = real;
    image->imaginary[voxel] = imaginary;
}
