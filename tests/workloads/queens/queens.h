/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Elements of queens.c's channel stacks, for host and kernels. */
#ifndef SLUICE_WORKLOADS_QUEENS_H
#define SLUICE_WORKLOADS_QUEENS_H

#include <stdint.h>

#include "workloads/queens/nqueens.h"

/* Of the pre-spawn stack: count the solutions of a board whose first rows are filled, as many as
 * the element's level. The masks are those of struct nqueens_board. */
struct queens_task {
    uint32_t *result;
    uint16_t columns;
    uint16_t diagonals;
    uint16_t antidiagonals;
};

/* Of the continuation stack: what so many children have counted goes to where the parent waits. */
struct queens_join {
    uint32_t *result;
    uint32_t children;
    uint32_t value[NQUEENS_N_MAX];
};

/* How many columns a mask has. */
static inline uint32_t queens_count(uint64_t mask)
{
    uint32_t count = 0;
    for (; mask != 0; mask &= mask - 1) {
        count++;
    }
    return count;
}

#endif
