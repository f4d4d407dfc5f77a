/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of hybrid_mriq.c share. */
#ifndef SLUICE_WORKLOADS_MRIQ_HYBRID_MRIQ_H
#define SLUICE_WORKLOADS_MRIQ_HYBRID_MRIQ_H

#include <stdint.h>

#define MRIQ_BLOCK 32 /* samples of a launch: a line of each of their values */

/* A part of the samples of k-space: where they are, in turns of phase over the whole image, and
 * their squared magnitudes. */
struct mriq_block {
    float x[MRIQ_BLOCK];
    float y[MRIQ_BLOCK];
    float z[MRIQ_BLOCK];
    float magnitude[MRIQ_BLOCK];
};

/* The image: where its voxels are, from -1/2 to 1/2, and their result, a complex number. */
struct mriq_image {
    const float *x;
    const float *y;
    const float *z;
    float *real;
    float *imaginary;
};

#endif
