/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of hybrid_histo.c share. */
#ifndef SLUICE_WORKLOADS_HISTOGRAM_HYBRID_HISTO_H
#define SLUICE_WORKLOADS_HISTOGRAM_HYBRID_HISTO_H

#include <stdint.h>

#define HISTO_GROUP  256 /* work-items of a work-group */
#define HISTO_PIXELS 16  /* that each of them looks at, HISTO_GROUP apart */
#define HISTO_SLICE  (HISTO_GROUP * HISTO_PIXELS) /* pixels of a work-group */
#define HISTO_RANGES 8                            /* of bins: each has work-groups of its own */
#define HISTO_MOST   255                          /* a bin counts no further */

/* The least and the greatest value of an image: what bins begin and end with. */
struct extremes {
    uint32_t least;
    uint32_t greatest;
};

/* The bin of a value, of so many that divide the extremes evenly. For host and kernel. */
static inline uint32_t histo_bin(uint32_t value, uint32_t least, uint64_t values, uint64_t bins)
{
    return (uint32_t)((value - least) * bins / values);
}

#endif
