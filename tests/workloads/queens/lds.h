/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the base case of the queens keeps in LDS (queens_search.h), for host and kernels. */
#ifndef SLUICE_WORKLOADS_QUEENS_LDS_H
#define SLUICE_WORKLOADS_QUEENS_LDS_H

#include <stdint.h>

#include "sluice/limits.h"

/* A board of each lane. */
struct queens_row {
    uint16_t open[SL_LANES_MAX]; /* columns without a queen */
    uint16_t diagonals[SL_LANES_MAX];
    uint16_t antidiagonals[SL_LANES_MAX];
    uint16_t untried[SL_LANES_MAX]; /* columns of its next row that are still to be tried */
};

/* What a wavefront has in LDS. */
struct queens_lds {
    uint32_t solutions[SL_LANES_MAX]; /* of each lane's own board */
    uint32_t owner[SL_LANES_MAX];     /* of each gift: whose board it is a part of */
    struct queens_row gift;
    struct queens_row stack[]; /* a row of it for each row of the board that is left */
};

#endif
