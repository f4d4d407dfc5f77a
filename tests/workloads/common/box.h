/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Boxes of cells that change step by step, as programs can be asked for. */
#ifndef SLUICE_WORKLOADS_COMMON_BOX_H
#define SLUICE_WORKLOADS_COMMON_BOX_H

#include <argp.h>
#include <stddef.h>
#include <stdint.h>

#define BOX_LEAST 3 /* cells of each dimension: those at the border are special */

struct box {
    uint32_t n; /* cells in x and y */
    uint32_t depth;
    uint32_t steps;
};

/* Lines of an argp option table, of keys 'd' and 's'; defaults are literal numbers, `most` is the
 * same as of box_parse(). */
#define BOX_OPTIONS(most, depth, steps)                                                            \
    {"depth", 'd', "PLANES", 0, "Planes, 3 to " #most " (default " #depth ")", 0},                 \
    {                                                                                              \
        "steps", 's', "NUMBER", 0, "Steps in time, 1 to 256 (default " #steps ")", 0               \
    }

/* The end of a parser whose table has these lines, and whose program has one argument, N: of each
 * dimension there are at most so many cells. A step is a launch of a sequence. */
error_t box_parse(int key, const char *argument, const struct argp_state *state, uint32_t most,
                  struct box *box);

/* The number of cells. */
size_t box_cells(const struct box *box);

#endif
