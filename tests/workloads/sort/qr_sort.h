/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of qr_sort.c share. */
#ifndef SLUICE_WORKLOADS_SORT_QR_SORT_H
#define SLUICE_WORKLOADS_SORT_QR_SORT_H

#define SORT_BINS  256 /* values of a byte; also work-items of the groups that find and move */
#define SORT_BLOCK 64  /* keys that are counted together, by a work-item each */

/* Work-groups that add up blocks' counts have a column for each of a line of bins, and cut columns
 * into segments: a work-item for each. */
#define SORT_SCAN_BINS     16
#define SORT_SCAN_SEGMENTS 16
#define SORT_SCAN_GROUP    (SORT_SCAN_BINS * SORT_SCAN_SEGMENTS)

#endif
