/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A recursive Fourier transform, for host and kernels: what its tasks and continuations are. */
#ifndef FFT_H
#define FFT_H

#include <stdint.h>

#define LEAF        16 /* points that a lane transforms by itself */
#define BUTTERFLIES 8  /* that a lane computes */
#define QUARTERS    4  /* transforms that a transform spawns */
#define PARTS       8  /* that many pieces of a merge become */

struct point {
    float re;
    float im;
};

/* What all tasks share. */
struct transform {
    const struct point *from;
    struct point *to;
    /* For merges of two times n points, n roots of one, from roots[n] on: side by side for each n,
     * as lanes read them. */
    const struct point *roots;
};

/* Transform n points of `from`, every stride-th, into as many of `to` side by side. */
struct fft_task {
    uint32_t from;
    uint32_t stride;
    uint32_t to;
    uint32_t n;
};

/* What is left to do of a transform when its quarters are there, and when its halves are. */
struct fft_join {
    uint32_t to;
    uint32_t n;
};

/* Merge two transforms of n points, side by side in `to`, in place: those butterflies that pieces
 * `first` to `first + pieces - 1` of it have. */
struct fft_merge {
    uint32_t to;
    uint32_t n;
    uint32_t first;
    uint32_t pieces;
};

/* The pieces of a whole merge. */
static inline uint32_t fft_pieces(uint32_t n)
{
    return n > BUTTERFLIES ? n / BUTTERFLIES : 1;
}

#endif
