/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of qr_dct.c share. */
#ifndef SLUICE_WORKLOADS_DCT_QR_DCT_H
#define SLUICE_WORKLOADS_DCT_QR_DCT_H

#define DCT_SIDE 8 /* of a block */

#endif
