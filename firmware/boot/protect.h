/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Physical memory protection of the firmware against itself. */
#ifndef SLUICE_FIRMWARE_PROTECT_H
#define SLUICE_FIRMWARE_PROTECT_H

/* Makes accesses to page 0 and to 0x4000_0000 .. 0x7fff_ffff, where nothing but the compute units'
 * apertures is, trap until the next reset (docs/know/design.md, rule 11). */
void protect(void);

#endif
