/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels share: the elements of the two channels, and the result. Structures
 * have one layout on host and device. */
#ifndef TUTORIAL_H
#define TUTORIAL_H

#include <stdint.h>

#define HALVES          2  /* a range is split into so many */
#define NUMBERS_AT_ONCE 8  /* a range of so many or fewer becomes numbers */
#define STEPS_AT_ONCE   32 /* a number goes back into its channel after so many steps */

/* Channel "ranges": the numbers from first to first + count - 1, still to be split. */
struct range {
    uint32_t first;
    uint32_t count;
};

/* Channel "numbers": a number on its way to 1. */
struct number {
    uint64_t value;
    uint32_t start;
    uint32_t steps;
};

struct result {
    uint64_t longest; /* the largest longest_key() so far */
    uint64_t arrived; /* numbers that have reached 1 */
};

/* Orders chains by length, and those of one length by start, the smallest first. */
static inline uint64_t longest_key(uint32_t steps, uint32_t start)
{
    return (uint64_t)steps << 32 | (UINT32_MAX - start);
}

static inline uint32_t longest_start(uint64_t key)
{
    return UINT32_MAX - (uint32_t)key;
}

#endif
