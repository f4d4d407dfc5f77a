/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels share. A structure has the same layout on both sides, and a pointer
 * into shared memory is the same address. */
#ifndef THE_PROGRAM_H
#define THE_PROGRAM_H

#include <stdint.h>

#define GROUP 256 /* work-items of a work-group, a power of two: the first thing to try out */

#endif
