/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of hybrid_sgemm.c share. */
#ifndef SLUICE_PROGRAMS_HYBRID_SGEMM_H
#define SLUICE_PROGRAMS_HYBRID_SGEMM_H

#define SGEMM_EACH    4  /* side of a work-item's elements */
#define SGEMM_COLUMNS 8  /* of a work-group, in work-items */
#define SGEMM_ROWS    16 /* likewise */

/* Of a work-group's elements; matrices are whole multiples of the higher one, its rows. */
#define SGEMM_TILE (SGEMM_ROWS * SGEMM_EACH)

#endif
