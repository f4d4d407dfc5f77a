/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of qr_matrixmul.c share. */
#ifndef SLUICE_WORKLOADS_MATMUL_QR_MATRIXMUL_H
#define SLUICE_WORKLOADS_MATMUL_QR_MATRIXMUL_H

#define MATRIXMUL_SIDE 8                                 /* of a work-group, in work-items */
#define MATRIXMUL_EACH 4                                 /* of a work-item's elements */
#define MATRIXMUL_TILE (MATRIXMUL_SIDE * MATRIXMUL_EACH) /* of a work-group's */

#endif
