/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What matmul.c and its kernel of style blocked share. */
#ifndef SLUICE_WORKLOADS_MATMUL_H
#define SLUICE_WORKLOADS_MATMUL_H

#define MATMUL_BLOCKED_SIDE 16 /* of a work-group, in work-items */
#define MATMUL_BLOCKED_TILE 64 /* of the product that a work-group computes, in elements */

#endif
