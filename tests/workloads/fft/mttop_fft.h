/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of mttop_fft.c share: where points lie. */
#ifndef SLUICE_WORKLOADS_FFT_MTTOP_FFT_H
#define SLUICE_WORKLOADS_FFT_MTTOP_FFT_H

#include <stdint.h>

/* As many as a way of a cache of 16 KiB and 4 ways holds. */
#define RUN_POINTS 512

/* What lies side by side are runs of points, with `gap` points left free behind each: without them,
 * points that are a power of two apart meet in few sets of a cache. */
static inline uint32_t point_place(uint32_t point, uint32_t gap)
{
    return point + point / RUN_POINTS * gap;
}

#endif
