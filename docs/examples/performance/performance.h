/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host and kernels of docs/do/speed-up-kernels.md share: sizes, and the numbers that all work
 * on. */
#ifndef PERFORMANCE_H
#define PERFORMANCE_H

#include <stdbool.h>
#include <stdint.h>

#define WORDS_OF_ITEM  64 /* that a work-item reads */
#define DIGITS         16 /* kinds of words that it counts */
#define PASSES         4  /* over its words */
#define CHAINS_OF_ITEM 16 /* that it follows */
#define COUNT_AT_ONCE  32 /* numbers that a lane takes without halving them */

/* An element of the channel. */
struct item {
    uint32_t number;
    uint32_t count;
};

/* A number from a number. */
static inline uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x45d9f3bu;
    x = (x ^ x >> 16) * 0x45d9f3bu;
    return x ^ x >> 16;
}

/* Where chain i of an item begins. From there it goes on with mix(), to a multiple of 16. */
static inline uint32_t chain_start(uint32_t item, uint32_t i)
{
    return item * CHAINS_OF_ITEM + i;
}

static inline bool is_end(uint32_t number)
{
    return number % 16 == 0;
}

/* An item has up to `count` children, of which each is there or not. */
static inline bool has_child(struct item item, uint32_t i)
{
    return mix(item.number + i) & 1;
}

static inline struct item child_of(struct item item, uint32_t i)
{
    return (struct item){mix(item.number + i), item.count - 1};
}

#endif
