/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of qr_nw.c share. */
#ifndef SLUICE_WORKLOADS_NW_QR_NW_H
#define SLUICE_WORKLOADS_NW_QR_NW_H

#include <stdint.h>

#define BLOCK 16 /* rows and columns of a block; a row of it is a line */

/* Scores of all pairs of beginnings of two sequences. Those of none with something are a row and a
 * column more, before the others; the column has a line of each row for itself, so that what
 * follows is whole lines. */
static inline uint64_t score_pitch(uint32_t blocks)
{
    return (blocks + 1) * (uint64_t)BLOCK;
}

/* Where in the matrix a score is. */
static inline uint64_t score_place(uint32_t blocks, uint64_t row, uint64_t column)
{
    return row * score_pitch(blocks) + BLOCK - 1 + column;
}

#endif
