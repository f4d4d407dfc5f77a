/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of qr_nn.c share. */
#ifndef SLUICE_PROGRAMS_QR_NN_H
#define SLUICE_PROGRAMS_QR_NN_H

/* Where something is. */
struct place {
    float latitude;
    float longitude;
};

#endif
