/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels share: the elements of the channels. A structure has the same
 * layout on both sides, and a pointer into shared memory is the same address. */
#ifndef THE_PROGRAM_H
#define THE_PROGRAM_H

#include <stdint.h>

#define BLOCK      16 /* numbers of one block */
#define SIFTED_MAX 8  /* so many of them, at most, are not divisible by a small prime */

/* Channel "blocks": the numbers from first to first + BLOCK - 1. */
struct block {
    uint32_t first;
};

/* Channel "candidates": a number that may be prime. */
struct candidate {
    uint32_t number;
};

#endif
