/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of qr_reduction.c share. */
#ifndef SLUICE_WORKLOADS_REDUCTION_QR_REDUCTION_H
#define SLUICE_WORKLOADS_REDUCTION_QR_REDUCTION_H

#define REDUCTION_GROUP 64 /* work-items */
#define REDUCTION_EACH  4  /* values of each, side by side */
#define REDUCTION_BLOCK (REDUCTION_GROUP * REDUCTION_EACH)

#endif
