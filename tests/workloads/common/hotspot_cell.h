/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A cell of a chip, for host programs and kernels: how its temperature follows from its
 * neighbours'. Multiply-adds are fused where the text says so, and nowhere else, so that both sides
 * round alike. */
#ifndef SLUICE_WORKLOADS_COMMON_HOTSPOT_CELL_H
#define SLUICE_WORKLOADS_COMMON_HOTSPOT_CELL_H

#define AMBIENT 318.15f /* temperature around the chip, in kelvins */

/* What a step makes of it. */
struct flow {
    float lateral; /* of a difference to a neighbour */
    float up;      /* of that to what is around */
    float share;   /* of a watt, in kelvins */
};

static inline float temperature_after(const struct flow *flow, float here, float north, float south,
                                      float west, float east, float power)
{
    const float neighbours = __builtin_fmaf(-4, here, north + south + west + east);
    const float flown = __builtin_fmaf(flow->lateral, neighbours, here);
    return __builtin_fmaf(flow->share, power, __builtin_fmaf(flow->up, AMBIENT - here, flown));
}

#endif
