/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of hybrid_lbm.c share: the lattice D3Q19, and how a cell relaxes.
 * Multiply-adds are fused where the text says so, and nowhere else, so that both sides round alike.
 */
#ifndef SLUICE_WORKLOADS_LBM_HYBRID_LBM_H
#define SLUICE_WORKLOADS_LBM_HYBRID_LBM_H

#define LBM_VELOCITIES 19
/* A cell's last float says what it is, so that cells are five times 16 bytes. */
#define LBM_KIND     19
#define LBM_FLOATS   20
#define LBM_FLUID    0.0f
#define LBM_OBSTACLE 1.0f

/* The lattice's weights, of velocities that rest, and of those to cells that are near; of those
 * that are far it is half of that. */
#define LBM_REST  (1.0f / 3)
#define LBM_NEAR  (1.0f / 18)
#define LBM_SIXTH (1.0f / 6)

/* Velocity 0 rests. The others, each with the opposite one: PAIR(plus, minus, x, y, z, is_far), of
 * which x, y and z are those of `plus`; the first that is not 0 is 1. */
#define LBM_PAIRS(PAIR)                                                                            \
    PAIR(1, 2, 1, 0, 0, 0)                                                                         \
    PAIR(3, 4, 0, 1, 0, 0)                                                                         \
    PAIR(5, 6, 0, 0, 1, 0)                                                                         \
    PAIR(7, 8, 1, 1, 0, 1)                                                                         \
    PAIR(9, 10, 1, -1, 0, 1)                                                                       \
    PAIR(11, 12, 1, 0, 1, 1)                                                                       \
    PAIR(13, 14, 1, 0, -1, 1)                                                                      \
    PAIR(15, 16, 0, 1, 1, 1)                                                                       \
    PAIR(17, 18, 0, 1, -1, 1)

/* Of a velocity's part along a dimension, which is -1, 0 or 1: adds the value so often. */
static inline float added(float sum, int part, float value)
{
    return part > 0 ? sum + value : part < 0 ? sum - value : sum;
}

/* For velocity v = 3 e.u along a pair: what both of the equilibrium have in common; the rest is v
 * for the one and -v for the other. `base` is 1 - 3/2 u.u. */
static inline float equilibrium(float v, float half, float base)
{
    return __builtin_fmaf(half * v, v, base);
}

static inline float relaxed(float before, float kept, float share, float target)
{
    const float left = kept * before;
    return __builtin_fmaf(share, target, left);
}

/* 1 - 3/2 u.u of three times u. */
static inline float equilibrium_base(float x, float y, float z, float one, float sixth)
{
    const float square = x * x;
    return __builtin_fmaf(-sixth, __builtin_fmaf(z, z, __builtin_fmaf(y, y, square)), one);
}

#endif
