/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of qr_nw.c share. */
#ifndef SLUICE_PROGRAMS_QR_NW_H
#define SLUICE_PROGRAMS_QR_NW_H

#include <stdint.h>

#define BLOCK 16 /* rows and columns of a block; a row of it is a line */

/* Scores of all pairs of beginnings of two sequences. Those of none with something are a row and a
 * column more, before the others; the column has a line of each row for itself, so that what
 * follows is whole lines. */
struct alignment {
    uint32_t blocks;          /* in a row, and in a column */
    int32_t penalty;          /* for a letter that is left out */
    int32_t *score;           /* (blocks x BLOCK + 1) x (blocks + 1) x BLOCK */
    const int32_t *reference; /* of the two letters, (blocks x BLOCK)^2 */
};

static inline int32_t *score_at(const struct alignment *alignment, uint64_t row, uint64_t column)
{
    const uint64_t pitch = (alignment->blocks + 1) * (uint64_t)BLOCK;
    return alignment->score + row * pitch + BLOCK - 1 + column;
}

#endif
