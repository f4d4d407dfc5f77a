/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The matrices of strassen.c and trees_matmul.c, in the order of strassen_task.h: made, and their
 * product checked.
 *
 * The order in which products of blocks are added is the machine's, so that the product is compared
 * with one in doubles, within the error that rounding can make. */
#ifndef SLUICE_WORKLOADS_STRASSEN_MATRICES_H
#define SLUICE_WORKLOADS_STRASSEN_MATRICES_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/argument.h"
#include "sluice/sluice.h"
#include "workloads/strassen/strassen_task.h"

#define STRASSEN_N_MAX 512

struct strassen_matrices {
    uint32_t n;
    uint32_t group; /* blocks of a group */
    float *left;    /* in shared memory, behind it the right one and the product */
    float *right;
    float *product;
};

/* Rows of a program's table: N and --seed. */
#define STRASSEN_ROWS(type, n, seed)                                                               \
    {"N", 0, SL_POWER_OF_TWO, STRASSEN_BLOCK, STRASSEN_N_MAX, SL_INTO(type, n)},                   \
    {                                                                                              \
        "seed", 0, SL_SEED, 0, 0, SL_INTO(type, seed), "Where the elements' random numbers start"  \
    }

/* In shared memory: two of random numbers that start from `seed`, and a product of zeros. */
void strassen_matrices_make(struct sl_soc *soc, uint32_t n, uint32_t group, uint64_t seed,
                            struct strassen_matrices *out);

/* The whole product. */
struct strassen_task strassen_root(const struct strassen_matrices *matrices);

/* Of all elements of the product. */
double strassen_matrices_sum(const struct strassen_matrices *matrices);

/* The error that an element of eight products may have, of whose terms the magnitudes add up to
 * this. */
double strassen_bound(uint32_t n, double magnitude);

/* Whether all elements are within a bound; says which is the first one that is not. */
bool strassen_is_within(const struct strassen_matrices *matrices,
                        double (*bound)(uint32_t n, double magnitude));

#endif
