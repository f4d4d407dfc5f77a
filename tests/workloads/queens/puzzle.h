/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The puzzle as queens.c and trees_nqueens.c share it: which boards are tasks, how those finish
 * that have no children, and options for both. */
#ifndef SLUICE_WORKLOADS_QUEENS_PUZZLE_H
#define SLUICE_WORKLOADS_QUEENS_PUZZLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/argument.h"

struct queens_puzzle {
    uint32_t n;
    uint32_t serial;    /* a task with so many rows left, or fewer, finishes serially; */
    uint32_t columns;   /* so does one with so many columns free in its next row, or fewer */
    uint32_t rounds;    /* of the base case: 0 is on stacks, UINT32_MAX in LDS without sharing */
    uint32_t solutions; /* the result */
};

/* What the options are where nothing is said: a base case of 4 x 4 (papers/001 section 7.1), and
 * the best of 4 to 16 rounds. */
#define QUEENS_ROUNDS 8
#define QUEENS_PUZZLE                                                                              \
    {                                                                                              \
        .serial = 4, .columns = 4, .rounds = QUEENS_ROUNDS                                         \
    }

/* N and options: SL_ROWS(). */
extern const struct sl_argument queens_puzzle_rows[];

uint64_t queens_all_columns(const struct queens_puzzle *puzzle);

/* The level from which on all tasks finish serially: by then so many rows are filled that few are
 * left, or that few columns can be free. */
uint32_t queens_small_level(const struct queens_puzzle *puzzle);

/* LDS of a wavefront; 0 where it searches on stacks. */
uint32_t queens_lds_bytes(const struct queens_puzzle *puzzle);

/* Whether the result is the one of a recursion in plain C. */
bool queens_is_right(const struct queens_puzzle *puzzle);

#endif
