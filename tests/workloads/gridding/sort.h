/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Radix sort of hybrid_gridding.c: entries of 64 bits, by some of their lowest bits, four bits at a
 * time from the lowest. What host program and kernels (sort_kernel.h) share, and the launches. */
#ifndef SLUICE_WORKLOADS_GRIDDING_SORT_H
#define SLUICE_WORKLOADS_GRIDDING_SORT_H

#define SORT_DIGIT_BITS 4
#define SORT_DIGITS     16 /* values of a digit */

/* Entries of a lane that are counted together. Those of the 64 lanes that a wavefront has at most
 * are fewer than 256: their counts are bytes. */
#define SORT_EACH 3
/* Counts of a lane that are added up together. */
#define SORT_SCAN_EACH 4

#endif
