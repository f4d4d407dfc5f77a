/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Boxes of cells that change step by step, as programs can be asked for. */
#ifndef SLUICE_WORKLOADS_COMMON_BOX_H
#define SLUICE_WORKLOADS_COMMON_BOX_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/argument.h"

#define BOX_LEAST 3 /* cells of each dimension: those at the border are special */

struct box {
    uint32_t n; /* cells in x and y */
    uint32_t depth;
    uint32_t steps;
};

/* Rows of a program's table, of which a struct box is a field: N, --depth and --steps. Of each
 * dimension there are at most so many cells. A step is a launch of a sequence. */
#define BOX_ROWS(type, box, most)                                                                  \
    {"[N]", 0, SL_NUMBER, BOX_LEAST, most, SL_INTO(type, box.n)},                                  \
        {"depth", 'd', SL_NUMBER, BOX_LEAST, most, SL_INTO(type, box.depth), "Planes", "PLANES"},  \
    {                                                                                              \
        "steps", 's', SL_NUMBER, 1, SL_SEQUENCE_LAUNCHES, SL_INTO(type, box.steps),                \
            "Steps in time"                                                                        \
    }

/* The number of cells. */
static inline size_t box_cells(const struct box *box)
{
    return (size_t)box->n * box->n * box->depth;
}

#endif
