/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of hybrid_stencil.c share: how a point follows from its neighbours.
 * The multiply-add is fused where the text says so, and nowhere else, so that both sides round
 * alike. */
#ifndef SLUICE_WORKLOADS_STENCIL_HYBRID_STENCIL_H
#define SLUICE_WORKLOADS_STENCIL_HYBRID_STENCIL_H

/* Of a work-group: a wavefront of 32 lanes has 128 bytes of a row. */
#define STENCIL_COLUMNS 32
#define STENCIL_ROWS    8

struct weights {
    float here;
    float neighbour;
};

static inline float point_after(struct weights weights, float here, float below, float above,
                                float north, float south, float west, float east)
{
    const float own = weights.here * here;
    return __builtin_fmaf(weights.neighbour, below + above + north + south + west + east, -own);
}

#endif
