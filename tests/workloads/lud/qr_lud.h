/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of qr_lud.c share. */
#ifndef SLUICE_WORKLOADS_LUD_QR_LUD_H
#define SLUICE_WORKLOADS_LUD_QR_LUD_H

#define BLOCK 16 /* rows and columns of a block; those at the matrix's edge may have fewer */

#endif
