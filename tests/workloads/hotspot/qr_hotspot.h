/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of qr_hotspot.c share. */
#ifndef SLUICE_WORKLOADS_HOTSPOT_QR_HOTSPOT_H
#define SLUICE_WORKLOADS_HOTSPOT_QR_HOTSPOT_H

#define BLOCK     16              /* side of a work-group, border and all */
#define STEPS_MAX (BLOCK / 2 - 1) /* of a launch: the border is as wide */

#endif
