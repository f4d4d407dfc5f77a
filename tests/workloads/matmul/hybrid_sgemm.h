/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of hybrid_sgemm.c share. */
#ifndef SLUICE_WORKLOADS_MATMUL_HYBRID_SGEMM_H
#define SLUICE_WORKLOADS_MATMUL_HYBRID_SGEMM_H

#define SGEMM_EACH    4  /* rows and columns of a work-item's elements */
#define SGEMM_COLUMNS 32 /* of a work-group, in work-items: a line */
#define SGEMM_ROWS    8  /* likewise */

/* Columns of a work-group's elements, and a multiple of its rows. Matrices are whole multiples. */
#define SGEMM_TILE (SGEMM_COLUMNS * SGEMM_EACH)

#endif
