/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where arrays of programs begin whose partitions are cache lines. */
#ifndef SLUICE_PROGRAMS_LINE_H
#define SLUICE_PROGRAMS_LINE_H

#define LINE_BYTES 128 /* of papers/003 Table 4.1: 32 lanes' words */

#endif
