/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What trees_nqueens.c and its kernel share: what holds for all tasks. */
#ifndef SLUICE_WORKLOADS_QUEENS_TREES_NQUEENS_H
#define SLUICE_WORKLOADS_QUEENS_TREES_NQUEENS_H

#include <stdint.h>

struct nqueens_rules {
    uint64_t all;         /* a bit for each column */
    uint32_t small_level; /* with so many rows filled a task finishes serially; */
    uint32_t columns;     /* so does one with so many columns free in its next row, or fewer */
    uint32_t rounds;      /* of the base case */
    uint32_t lds_bytes;   /* of a wavefront */
};

#endif
