/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the programs of docs/know/hybrid-programs.md have in common. */
#ifndef SLUICE_WORKLOADS_COMMON_HYBRID_H
#define SLUICE_WORKLOADS_COMMON_HYBRID_H

/* A line of an L1 cache of papers/003 (Table 4.1), and a word of each lane of a wavefront: arrays
 * begin on one, so that wavefronts that load or store words side by side touch one line. */
#define HYBRID_LINE 128

/* What floats may differ by from what double precision gives, as floats_are_near() counts it, where
 * that adds them up in another order. */
#define HYBRID_TOLERANCE 1e-4

#endif
