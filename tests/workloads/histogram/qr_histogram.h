/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of qr_histogram.c share. */
#ifndef SLUICE_WORKLOADS_HISTOGRAM_QR_HISTOGRAM_H
#define SLUICE_WORKLOADS_HISTOGRAM_QR_HISTOGRAM_H

#define HISTOGRAM_BINS  256
#define HISTOGRAM_GROUP 128 /* work-items; each has 256 counters of a byte in LDS */
#define HISTOGRAM_WORDS 32  /* words of four values, of each work-item: no counter passes 128 */
#define HISTOGRAM_BLOCK (HISTOGRAM_GROUP * HISTOGRAM_WORDS * 4) /* values of a work-group */

#endif
